package io.holdfast.http.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.compensation.domain.Compensation;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.access.Role;
import io.holdfast.http.openapi.OpenApi.Operation;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.json.InputError;
import io.holdfast.messaging.out.AnnouncedTypes;
import io.holdfast.order.domain.Order;
import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.FindingType;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.ledger.LedgerAction;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The document by itself, and against the code it tells of. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class OpenApiTest {

    private static final OpenApi API = OpenApi.get();
    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");
    private static final String START = "      # derived: problem codes\n";
    private static final String END = "      # end of derived\n";

    private static Path file() {
        Path fromModule = Path.of("../docs/openapi.yaml");
        return Files.exists(fromModule) ? fromModule : Path.of("docs/openapi.yaml");
    }

    @Test
    void every_route_is_documented_and_nothing_else() {
        assertThat(API.operations().stream().map(Operation::toString))
                .containsExactlyInAnyOrderElementsOf(Stream.of(ApiRoute.values())
                        .map(route -> route.method() + " " + route.template())
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(ApiRoute.class)
    void a_route_says_who_may_call_it(ApiRoute route) {
        JsonNode operation = API.operation(route.method(), route.template())
                .orElseThrow(
                        () -> new AssertionError("docs/openapi.yaml lacks " + route.method() + " " + route.template()))
                .node();
        switch (route.proof()) {
            case NONE -> assertThat(operation.get("security")).isEmpty();
            case SIGNATURE ->
                assertThat(operation.at("/security/0").has("signature")).isTrue();
            case TOKEN -> {
                assertThat(operation.has("security"))
                        .as("that of the whole document")
                        .isFalse();
                assertThat(texts(operation.path("x-roles")))
                        .containsExactlyElementsOf(route.permission().orElseThrow().roles().stream()
                                .sorted()
                                .map(Role::word)
                                .toList());
            }
        }
    }

    @Test
    void every_reference_leads_somewhere() {
        assertThat(API.document().findValuesAsText("$ref"))
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(
                                API.document().at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @Test
    void every_component_is_used() {
        Set<String> used = new HashSet<>(API.document().findValuesAsText("$ref"));
        List<String> idle = new ArrayList<>();
        for (String kind : List.of("schemas", "parameters", "headers", "responses")) {
            API.document().at("/components/" + kind).fieldNames().forEachRemaining(name -> {
                if (!used.contains("#/components/" + kind + "/" + name)) {
                    idle.add(kind + "/" + name);
                }
            });
        }
        assertThat(idle).isEmpty();
    }

    @Test
    void operations_have_names_of_their_own_tags_that_exist_and_parameters_for_every_variable() {
        Set<String> names = new HashSet<>();
        List<String> tags = API.document().at("/tags").findValuesAsText("name");
        for (Operation operation : API.operations()) {
            assertThat(names.add(operation.node().path("operationId").asText()))
                    .as(operation.toString())
                    .isTrue();
            assertThat(operation.node().path("summary").asText())
                    .as(operation.toString())
                    .isNotBlank()
                    .doesNotEndWith(".");
            assertThat(tags)
                    .as(operation.toString())
                    .contains(operation.node().at("/tags/0").asText());
            Set<String> described = StreamSupport.stream(
                            operation.node().path("parameters").spliterator(), false)
                    .map(API::resolved)
                    .filter(parameter -> parameter.get("in").asText().equals("path"))
                    .map(parameter -> parameter.get("name").asText())
                    .collect(Collectors.toCollection(TreeSet::new));
            Set<String> variables = VARIABLE.matcher(operation.template())
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(described).as(operation.toString()).isEqualTo(variables);
        }
    }

    @Test
    void the_codes_of_problems_are_those_of_the_code() throws IOException {
        String page = Files.readString(file());
        String codes = Stream.of(ProblemCode.values())
                .map(code -> "        - " + code.name() + "\n")
                .collect(Collectors.joining());
        if (Boolean.getBoolean("derived.update")) {
            Files.writeString(
                    file(),
                    page.substring(0, page.indexOf(START) + START.length())
                            + codes
                            + page.substring(page.indexOf(END)));
        }
        assertThat(Files.readString(file()))
                .as("run this test with -Dderived.update=true and review the difference")
                .contains(START + codes + END);
    }

    @Test
    void a_problem_is_documented_under_its_own_status() {
        for (Operation operation : API.operations()) {
            operation
                    .node()
                    .path("responses")
                    .properties()
                    .forEach(answer -> API.resolved(answer.getValue())
                            .at("/content/application~1problem+json/schema/allOf/1/properties/code/enum")
                            .forEach(code -> assertThat(
                                            ProblemCode.valueOf(code.asText()).status())
                                    .as(operation + " " + code)
                                    .isEqualTo(Integer.parseInt(answer.getKey()))));
        }
    }

    static Stream<Arguments> enums() {
        return Stream.of(
                Arguments.of("/ReservationStatus", Reservation.Status.values()),
                Arguments.of("/PoolStatus", StockPool.Status.values()),
                Arguments.of("/CompensationStatus", Compensation.Status.values()),
                Arguments.of("/OrderStatus", Order.Status.values()),
                Arguments.of("/LedgerEntry/properties/action", LedgerAction.values()),
                Arguments.of("/ReconciliationFinding/properties/type", FindingType.values()),
                Arguments.of("/ReconciliationFinding/properties/class", FindingClass.values()));
    }

    @ParameterizedTest
    @MethodSource("enums")
    void a_list_of_values_is_that_of_the_code(String schema, Enum<?>[] constants) {
        assertThat(texts(API.document().at("/components/schemas" + schema + "/enum")))
                .containsExactlyElementsOf(Stream.of(constants).map(Enum::name).toList());
    }

    @Test
    void the_types_of_events_are_those_of_the_code() {
        assertThat(texts(API.document().at("/components/schemas/EventType/enum")))
                .containsExactlyElementsOf(AnnouncedTypes.ALL);
    }

    @Test
    void the_codes_of_faults_are_those_of_the_code() {
        JsonNode fault = API.document().at("/components/schemas/InputFault/properties");
        assertThat(texts(fault.at("/code/enum"))).containsExactlyElementsOf(lower(InputError.Code.values()));
        assertThat(texts(fault.at("/in/enum"))).containsExactlyElementsOf(lower(InputError.In.values()));
    }

    static Stream<String> schemasOfRecords() {
        return API.document().at("/components/schemas").properties().stream()
                .filter(schema -> schema.getValue().has("x-record"))
                .map(Map.Entry::getKey);
    }

    @ParameterizedTest
    @MethodSource("schemasOfRecords")
    void a_schema_has_the_fields_of_its_record_and_those_are_required_that_are_always_there(String name) {
        JsonNode schema = API.document().at("/components/schemas/" + name);
        Class<?> record = record(schema.get("x-record").asText());
        List<String> properties = new ArrayList<>();
        List<String> required = new ArrayList<>();
        fields(record, properties, required);
        List<String> described = new ArrayList<>();
        schema.get("properties").properties().stream()
                .filter(property -> !property.getValue().has("x-only-with"))
                .forEach(property -> described.add(property.getKey()));
        assertThat(described).isEqualTo(properties);
        assertThat(texts(schema.path("required"))).isEqualTo(required);
    }

    private static void fields(Class<?> record, List<String> properties, List<String> required) {
        for (RecordComponent component : record.getRecordComponents()) {
            if (annotation(record, component, JsonUnwrapped.class) != null) {
                fields(component.getType(), properties, required);
                continue;
            }
            String property = property(record, component);
            properties.add(property);
            if (isAlwaysThere(record, component)) {
                required.add(property);
            }
        }
    }

    private static Class<?> record(String name) {
        String nested = name.replace('.', '$');
        for (String packaged : List.of(
                "io.holdfast.http.wire.",
                "io.holdfast.http.problem.",
                "io.holdfast.messaging.kafka.",
                "io.holdfast.reconciliation.")) {
            try {
                return Class.forName(packaged + nested);
            } catch (ClassNotFoundException e) {
                // in another package, then
            }
        }
        throw new AssertionError("no record " + name);
    }

    private static String property(Class<?> record, RecordComponent component) {
        JsonProperty named = annotation(record, component, JsonProperty.class);
        return named != null
                ? named.value()
                : component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static boolean isAlwaysThere(Class<?> record, RecordComponent component) {
        JsonInclude rule = annotation(record, component, JsonInclude.class);
        return !component.getType().getSimpleName().startsWith("Optional")
                && (rule == null || rule.value() != JsonInclude.Include.NON_EMPTY);
    }

    private static <A extends java.lang.annotation.Annotation> A annotation(
            Class<?> record, RecordComponent component, Class<A> type) {
        try {
            return record.getDeclaredField(component.getName()).getAnnotation(type);
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
    }

    private static List<String> lower(Enum<?>[] constants) {
        return Stream.of(constants)
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
    }
}
