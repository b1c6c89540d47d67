package io.holdfast.json;

/**
 * What one JSON document may at most contain. Checked while reading, before anything is converted.
 *
 * @param depth levels of nested objects and arrays
 * @param numberLength characters of one number
 * @param stringLength characters of one string
 * @param nameLength characters of one field name
 */
public record JsonLimits(int depth, int numberLength, int stringLength, int nameLength) {

    /** What every route uses unless the settings say otherwise. */
    public static final JsonLimits DEFAULT = new JsonLimits(8, 19, 1024, 64);

    public JsonLimits {
        if (depth < 1 || numberLength < 16 || stringLength < 64 || nameLength < 32) {
            throw new IllegalArgumentException(
                    "JSON limits too small to carry a request: depth >= 1, number >= 16, string >= 64, name >= 32, but "
                            + depth + ", " + numberLength + ", " + stringLength + ", " + nameLength);
        }
    }
}
