// A coercer in Java behind callfit's wire: JSON-RPC over stdin and stdout, one message a line.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public final class CallfitPlugin {
    /** Your coercer in place of this one, which knows integers and booleans at the top. */
    static Object coerce(Object schema, Object arguments) throws Refused {
        if (!(arguments instanceof Map<?, ?> values)) {
            throw new Refused("the arguments are no object");
        }
        Map<Object, Object> coerced = new LinkedHashMap<>(values);
        coerced.replaceAll((name, value) -> convert(member(member(schema, "properties"), name), value));
        return coerced;
    }

    static Object convert(Object schema, Object value) {
        Object wanted = member(schema, "type");
        if (value instanceof String text) {
            if ("integer".equals(wanted) && text.matches("-?(0|[1-9][0-9]*)")) {
                return new BigDecimal(text);
            }
            if ("boolean".equals(wanted) && text.matches("true|false")) {
                return text.equals("true");
            }
        }
        return value;
    }

    static Object member(Object value, Object name) {
        return value instanceof Map<?, ?> map ? map.get(name) : null;
    }

    @SuppressWarnings("serial")
    static final class NotOffered extends RuntimeException {
    }

    /** Thrown by a coercer that refuses a call. */
    @SuppressWarnings("serial")
    static final class Refused extends Exception {
        Refused(String why) {
            super(why);
        }
    }

    // Found without the reader, which may give up on what is nested very deep.
    static final Pattern ID = Pattern.compile("\"id\":\\s*(\\d+)");

    static String answer(String line) {
        Matcher id = ID.matcher(line);
        BigDecimal identity = id.find() ? new BigDecimal(id.group(1)) : null;
        try {
            return message(identity, "result", result(Json.read(line)));
        } catch (Refused refused) {
            return message(identity, "error", Map.of("code", 1, "message", refused.getMessage()));
        } catch (NotOffered method) {
            return message(identity, "error", Map.of("code", -32601, "message", "not offered"));
        } catch (RuntimeException | StackOverflowError fault) {
            return message(identity, "error", Map.of("code", -32603, "message", fault.toString()));
        }
    }

    static Object result(Object request) throws Refused {
        Object asked = member(request, "params");
        switch ((String) member(request, "method")) {
            case "initialize":
                var about = Map.of("name", "my-coercer", "version", "1.0.0", "language", "java");
                return Map.of("protocol", 1, "implementation", about, "methods", List.of("coerce"));
            case "coerce":
                Object coerced = coerce(member(asked, "schema"), member(asked, "arguments"));
                return Map.of("arguments", coerced);
            default:
                throw new NotOffered();
        }
    }

    static String message(BigDecimal identity, String kind, Object content) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", identity);
        message.put(kind, content);
        return Json.write(message);
    }

    public static void main(String[] none) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        // Only answers go to stdout.
        System.setOut(System.err);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answers.print(answer(line) + "\n");
            answers.flush();
        }
    }
}
