package io.holdfast.engine.journal;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;

/**
 * Moments as {@link Instant} writes and reads them, for a fraction of the time where they look as nearly all do; what looks otherwise is
 * left to it. Each event has two or three, and is written once and read several times.
 */
public final class Moments {

    private static final long SECONDS_OF_DAY = 86_400;
    /** From the year 10000 on there is a sign before it. */
    private static final long AFTER_YEAR_9999 = 253_402_300_800L;

    private static final int WHOLE_SECONDS = "2026-01-02T03:04:05".length();
    private static final int LONGEST = "2026-01-02T03:04:05.123456789Z".length();
    private static final int NANOS_DIGITS = 9;
    private static final int LAST_DAY_OF_EVERY_MONTH = 28;

    private Moments() {}

    /** {@link Instant#toString}. */
    public static String text(Instant moment) {
        long second = moment.getEpochSecond();
        if (second < 0 || second >= AFTER_YEAR_9999) {
            return moment.toString();
        }
        byte[] text = new byte[LONGEST];
        LocalDate day = LocalDate.ofEpochDay(second / SECONDS_OF_DAY);
        int ofDay = (int) (second % SECONDS_OF_DAY);
        digits(text, 0, 4, day.getYear());
        text[4] = '-';
        digits(text, 5, 2, day.getMonthValue());
        text[7] = '-';
        digits(text, 8, 2, day.getDayOfMonth());
        text[10] = 'T';
        digits(text, 11, 2, ofDay / 3600);
        text[13] = ':';
        digits(text, 14, 2, ofDay / 60 % 60);
        text[16] = ':';
        digits(text, 17, 2, ofDay % 60);
        int length = WHOLE_SECONDS;
        int nanos = moment.getNano();
        if (nanos != 0) { // as many groups of three as it needs
            text[length++] = '.';
            int fraction = nanos;
            int wide = NANOS_DIGITS;
            while (fraction % 1000 == 0) {
                fraction /= 1000;
                wide -= 3;
            }
            digits(text, length, wide, fraction);
            length += wide;
        }
        text[length++] = 'Z';
        return new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }

    private static void digits(byte[] text, int from, int wide, int number) {
        int left = number;
        for (int i = from + wide - 1; i >= from; i--) {
            text[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
    }

    /**
     * {@link Instant#parse}.
     *
     * @throws DateTimeException if it is no moment
     */
    public static Instant parse(String text) {
        int length = text.length();
        if (length <= WHOLE_SECONDS || length > LONGEST || text.charAt(length - 1) != 'Z') {
            return Instant.parse(text);
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        boolean usual = year >= 0
                && month >= 1
                && month <= 12
                && day >= 1
                && day <= LAST_DAY_OF_EVERY_MONTH + 3
                && hour >= 0
                && hour < 24
                && minute >= 0
                && minute < 60
                && second >= 0
                && second < 60
                && text.charAt(4) == '-'
                && text.charAt(7) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(13) == ':'
                && text.charAt(16) == ':';
        int nanos = 0;
        if (length > WHOLE_SECONDS + 1) {
            int wide = length - WHOLE_SECONDS - 2;
            nanos = text.charAt(WHOLE_SECONDS) == '.' && wide > 0 ? number(text, WHOLE_SECONDS + 1, length - 1) : -1;
            for (int i = wide; i < NANOS_DIGITS; i++) {
                nanos *= 10;
            }
        }
        if (!usual || nanos < 0 || day > LAST_DAY_OF_EVERY_MONTH && !hasDay(year, month, day)) {
            return Instant.parse(text);
        }
        long days = LocalDate.of(year, month, day).toEpochDay();
        return Instant.ofEpochSecond(days * SECONDS_OF_DAY + hour * 3600L + minute * 60L + second, nanos);
    }

    private static boolean hasDay(int year, int month, int day) {
        return day <= LocalDate.of(year, month, 1).lengthOfMonth();
    }

    /** Negative if there is anything but digits. */
    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
