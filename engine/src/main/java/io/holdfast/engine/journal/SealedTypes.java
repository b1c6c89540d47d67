package io.holdfast.engine.journal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedConstructor;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Tells Jackson about sealed interfaces and records what annotations would otherwise have to: a value of a sealed interface carries the
 * simple name of its record as {@code type}, every component of a record must be there unless it is optional by type, and a record whose
 * only component is named {@code value} (an id with rules of its own) is written as that value.
 */
final class SealedTypes extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    static final String TYPE = "type";
    private static final String VALUE = "value";

    /**
     * The records and enums a sealed interface ends in, by simple name.
     *
     * @throws IllegalArgumentException if two have the same simple name, or one is neither record nor enum
     */
    static Map<String, Class<?>> leavesOf(Class<?> type) {
        Map<String, Class<?>> leaves = new LinkedHashMap<>();
        collect(type, leaves);
        return leaves;
    }

    private static void collect(Class<?> type, Map<String, Class<?>> leaves) {
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                collect(permitted, leaves);
            }
            return;
        }
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is neither a sealed interface nor a record");
        }
        Class<?> other = leaves.putIfAbsent(type.getSimpleName(), type);
        if (other != null && other != type) {
            throw new IllegalArgumentException(
                    type.getName() + " and " + other.getName() + " would both be written as " + type.getSimpleName());
        }
    }

    @Override
    public @Nullable TypeResolverBuilder<?> findTypeResolver(
            MapperConfig<?> config, AnnotatedClass annotated, JavaType baseType) {
        if (!annotated.getRawType().isSealed()) {
            return super.findTypeResolver(config, annotated, baseType);
        }
        leavesOf(annotated.getRawType());
        return new StdTypeResolverBuilder()
                .init(JsonTypeInfo.Id.NAME, null)
                .inclusion(JsonTypeInfo.As.PROPERTY)
                .typeProperty(TYPE);
    }

    @Override
    public @Nullable List<NamedType> findSubtypes(Annotated annotated) {
        if (!annotated.getRawType().isSealed()) {
            return super.findSubtypes(annotated);
        }
        List<NamedType> named = new ArrayList<>();
        leavesOf(annotated.getRawType()).forEach((name, leaf) -> named.add(new NamedType(leaf, name)));
        return named;
    }

    private static boolean wrapsAValue(Class<?> type) {
        return type.isRecord()
                && type.getRecordComponents().length == 1
                && type.getRecordComponents()[0].getName().equals(VALUE)
                && Arrays.stream(type.getInterfaces()).noneMatch(Class::isSealed);
    }

    /** Components only: a record's other methods named like getters are not part of its content. */
    @Override
    public boolean hasIgnoreMarker(AnnotatedMember member) {
        Class<?> declaring = member.getDeclaringClass();
        return super.hasIgnoreMarker(member)
                || (declaring.isRecord()
                        && member instanceof AnnotatedMethod
                        && Arrays.stream(declaring.getRecordComponents())
                                .noneMatch(component -> component.getName().equals(member.getName())));
    }

    @Override
    public @Nullable Boolean hasAsValue(Annotated annotated) {
        return (annotated instanceof AnnotatedMember member
                        && wrapsAValue(member.getDeclaringClass())
                        && member.getName().equals(VALUE))
                ? Boolean.TRUE
                : super.hasAsValue(annotated);
    }

    @Override
    public JsonCreator.@Nullable Mode findCreatorAnnotation(MapperConfig<?> config, Annotated annotated) {
        return (annotated instanceof AnnotatedConstructor constructor && wrapsAValue(constructor.getDeclaringClass()))
                ? JsonCreator.Mode.DELEGATING
                : super.findCreatorAnnotation(config, annotated);
    }

    @Override
    public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
        Class<?> declaring = member.getDeclaringClass();
        if (!declaring.isRecord()) {
            return super.hasRequiredMarker(member);
        }
        Class<?> type = member.getRawType();
        return !(type == Optional.class || type == OptionalInt.class || type == OptionalLong.class);
    }
}
