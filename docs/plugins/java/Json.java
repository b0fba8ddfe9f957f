// JSON with every digit kept, in place of the library that you have: maps, lists, texts, BigDecimal, Boolean and null.

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class Json {
    static Object read(String text) {
        Json reader = new Json(text);
        Object value = reader.value();
        if (!reader.next().isEmpty()) {
            throw new IllegalArgumentException("more than one value");
        }
        return value;
    }

    static String write(Object value) {
        if (value instanceof String text) {
            return quoted(text);
        }
        if (value instanceof List<?> list) {
            StringJoiner items = new StringJoiner(",", "[", "]");
            list.forEach(item -> items.add(write(item)));
            return items.toString();
        }
        if (value instanceof Map<?, ?> map) {
            StringJoiner members = new StringJoiner(",", "{", "}");
            map.forEach((name, member) -> members.add(quoted((String) name) + ":" + write(member)));
            return members.toString();
        }
        return String.valueOf(value);
    }

    // A text without its closing quote, a number, a word, or a mark.
    private static final Pattern TOKEN = Pattern.compile(
            "[ \\t\\r\\n]*(\"(?:[^\"\\\\]++|\\\\.)*+(?=\")|-?[0-9]++(?:\\.[0-9]++)?(?:[eE][-+]?[0-9]++)?|[a-z]++|[\\[\\]{},:]|$)");

    private final Matcher tokens;
    private String token;

    private Json(String text) {
        tokens = TOKEN.matcher(text);
        next();
    }

    /** The token that is read next, which becomes the one after it. */
    private String next() {
        String read = token;
        if (!tokens.lookingAt()) {
            throw new IllegalArgumentException("no JSON");
        }
        token = tokens.group(1);
        tokens.region(tokens.end() + (token.startsWith("\"") ? 1 : 0), tokens.regionEnd());
        return read;
    }

    private Object value() {
        String read = next();
        switch (read) {
            case "{":
                Map<String, Object> map = new LinkedHashMap<>();
                while (!token.equals("}")) {
                    String name = unquoted(next());
                    next();
                    map.put(name, value());
                    if (token.equals(",")) {
                        next();
                    }
                }
                next();
                return map;
            case "[":
                List<Object> list = new ArrayList<>();
                while (!token.equals("]")) {
                    list.add(value());
                    if (token.equals(",")) {
                        next();
                    }
                }
                next();
                return list;
            case "true":
                return true;
            case "false":
                return false;
            case "null":
                return null;
            default:
                return read.startsWith("\"") ? unquoted(read) : new BigDecimal(read);
        }
    }

    private static String unquoted(String token) {
        StringBuilder text = new StringBuilder();
        for (int at = 1; at < token.length(); at++) {
            char letter = token.charAt(at);
            if (letter == '\\') {
                letter = token.charAt(++at);
                int known = "bfnrt".indexOf(letter);
                if (letter == 'u') {
                    letter = (char) Integer.parseInt(token.substring(at + 1, at + 5), 16);
                    at += 4;
                } else if (known >= 0) {
                    letter = "\b\f\n\r\t".charAt(known);
                }
            }
            text.append(letter);
        }
        return text.toString();
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            // What is no ASCII is escaped: a lone surrogate could not be written otherwise.
            if (letter < ' ' || letter > '~') {
                quoted.append(String.format("\\u%04x", (int) letter));
            } else if (letter == '"' || letter == '\\') {
                quoted.append('\\').append(letter);
            } else {
                quoted.append(letter);
            }
        }
        return quoted.append('"').toString();
    }
}
