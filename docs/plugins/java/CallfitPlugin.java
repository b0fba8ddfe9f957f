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

    /** Thrown by a coercer that refuses a call. */
    static final class Refused extends Exception {
        Refused(String why) {
            super(why);
        }
    }

    // Found without the reader, which may give up on what is nested very deep.
    static final Pattern ID = Pattern.compile("\"id\":\\s*(\\d+)");

    static Map<String, Object> answer(String line) {
        Matcher id = ID.matcher(line);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("jsonrpc", "2.0");
        answer.put("id", id.find() ? new BigDecimal(id.group(1)) : null);
        try {
            Object request = Json.read(line);
            Object method = member(request, "method");
            Object asked = member(request, "params");
            if ("initialize".equals(method)) {
                var about = Map.of("name", "my-coercer", "version", "1.0.0", "language", "java");
                answer.put("result", Map.of("protocol", 1, "implementation", about, "methods", List.of("coerce")));
            } else if ("coerce".equals(method)) {
                Object arguments = coerce(member(asked, "schema"), member(asked, "arguments"));
                answer.put("result", Map.of("arguments", arguments));
            } else {
                answer.put("error", Map.of("code", -32601, "message", "not offered"));
            }
        } catch (Refused refused) {
            answer.put("error", Map.of("code", 1, "message", refused.getMessage()));
        } catch (RuntimeException | StackOverflowError fault) {
            answer.put("error", Map.of("code", -32603, "message", fault.toString()));
        }
        return answer;
    }

    public static void main(String[] none) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        // Only answers go to stdout.
        System.setOut(System.err);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answers.print(Json.write(answer(line)) + "\n");
            answers.flush();
        }
    }
}
