// The Pet Store as somebody writes it in Java with nothing but the JDK, to be checked by vouch.
//
//   java Pets.java [defect]    prints its address, and ends when it is told to
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

public class Pets {
    static final List<String> STATUSES = List.of("available", "pending", "sold");
    static final TreeMap<Long, Map<String, Object>> pets = new TreeMap<>();
    static String defect = "";
    static int messages = 0;

    static class Refused extends RuntimeException {
        final int status;
        final String code;

        Refused(int status, String code, String message) {
            super(message);
            this.status = status;
            this.code = code;
        }
    }

    record Answer(int status, Object body) {}

    public static void main(String[] args) throws IOException {
        defect = args.length == 0 ? "" : args[0];
        for (long id = 1; id <= 30; id++) pets.put(id, fields("id", id, "name", "Pet " + id, "categoryId", id % 4 + 1, "status", STATUSES.get((int) id % 3)));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", Pets::handle);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort() + "/v1");
    }

    static void handle(HttpExchange exchange) throws IOException {
        Answer answer;
        try {
            authorise(exchange);
            answer = route(exchange);
        } catch (Refused refused) {
            answer = new Answer(refused.status, fields("code", refused.code, "message", refused.getMessage(), "status", (long) refused.status));
            if (refused.status == 401) exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        }
        byte[] body = write(answer.body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status, head ? -1 : body.length);
        if (!head) exchange.getResponseBody().write(body);
        exchange.close();
    }

    static void authorise(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        boolean right = given != null && (defect.equals("takes-shorter-keys") ? "Bearer demo-key".startsWith(given) && given.length() > 7 : given.equals("Bearer demo-key"));
        if (!right) throw new Refused(401, "unauthorized", "An API key is required.");
    }

    static Answer route(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath().replaceFirst("^/v1", "");
        String method = exchange.getRequestMethod();
        boolean reads = method.equals("GET") || method.equals("HEAD");
        boolean isPet = path.matches("/pets/[^/]+");
        if (path.equals("/pets") && reads) return list(query(exchange));
        if (path.equals("/pets") && method.equals("POST")) return create(body(exchange));
        if (isPet && reads) return read(path.substring(6));
        if (path.equals("/store/orders") && reads) return new Answer(200, List.of());
        if (path.equals("/messages") && method.equals("POST")) return message(body(exchange));
        if (!isPet && !List.of("/pets", "/store/orders", "/messages").contains(path)) throw new Refused(404, "not_found", "There is nothing here.");
        exchange.getResponseHeaders().set("Allow", path.equals("/pets") ? "GET, HEAD, POST" : path.equals("/messages") ? "POST" : "GET, HEAD");
        throw new Refused(405, "method", "This method is not for this path.");
    }

    static Answer list(Map<String, String> query) {
        String status = query.get("status");
        long limit;
        try {
            limit = Long.parseLong(query.getOrDefault("limit", "20"));
        } catch (NumberFormatException broken) {
            throw new Refused(400, "invalid_value", "limit must be a number.");
        }
        if (limit < 1 || limit > 100) throw new Refused(400, "invalid_value", "limit must be from 1 to 100.");
        if (status != null && !STATUSES.contains(status)) throw new Refused(400, "invalid_value", "status is none that there is.");
        synchronized (pets) {
            var shown = defect.equals("limits-before-filtering") ? pets.values().stream().limit(limit).toList() : List.copyOf(pets.values());
            return new Answer(200, shown.stream().filter(pet -> status == null || status.equals(pet.get("status"))).limit(limit).toList());
        }
    }

    static Answer create(Object sent) {
        if (!(sent instanceof Map<?, ?> body)) throw new Refused(400, "invalid_value", "The body must be an object.");
        if (!body.containsKey("name") || !body.containsKey("categoryId")) throw new Refused(400, "missing_field", "The fields name and categoryId are required.");
        boolean sound = body.get("name") instanceof String && body.get("categoryId") instanceof Long && (!body.containsKey("status") || body.get("status") instanceof String status && STATUSES.contains(status));
        if (!sound) throw new Refused(400, "invalid_value", "A field has a value that it cannot have.");
        synchronized (pets) {
            Map<String, Object> made = fields("id", pets.lastKey() + 1, "name", body.get("name"), "categoryId", body.get("categoryId"));
            if (body.containsKey("status")) made.put("status", body.get("status"));
            if (!defect.equals("loses-creates")) pets.put(pets.lastKey() + 1, made);
            return new Answer(201, made);
        }
    }

    static Answer read(String id) {
        synchronized (pets) {
            Map<String, Object> found = id.matches("\\d{1,18}") ? pets.get(Long.parseLong(id)) : null;
            if (found == null) throw new Refused(404, "not_found", "No animal has this identifier.");
            return new Answer(200, found);
        }
    }

    static synchronized Answer message(Object sent) {
        if (!(sent instanceof Map<?, ?> body) || !(body.get("message") instanceof String text)) throw new Refused(400, "missing_field", "The field message is required.");
        messages++;
        return new Answer(202, fields("id", "msg_" + messages, "message", text, "status", "queued", "createdAt", "2030-06-01T09:30:00Z"));
    }

    static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> found = new LinkedHashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            found.put(URLDecoder.decode(parts[0], StandardCharsets.UTF_8), parts.length == 1 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return found;
    }

    static Object body(HttpExchange exchange) throws IOException {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (type == null || !type.split(";")[0].strip().equalsIgnoreCase("application/json")) throw new Refused(415, "media_type", "The body must be application/json.");
        byte[] bytes = exchange.getRequestBody().readAllBytes();
        try {
            return new Reader(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()).whole();
        } catch (CharacterCodingException | IllegalArgumentException | StringIndexOutOfBoundsException broken) {
            throw new Refused(400, "invalid_json", "The body is not valid JSON.");
        }
    }

    static Map<String, Object> fields(Object... pairs) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int at = 0; at < pairs.length; at += 2) made.put((String) pairs[at], pairs[at + 1]);
        return made;
    }

    static String write(Object value) {
        if (value instanceof Map<?, ?> map) return map.entrySet().stream().map(entry -> quote((String) entry.getKey()) + ":" + write(entry.getValue())).collect(Collectors.joining(",", "{", "}"));
        if (value instanceof Collection<?> list) return list.stream().map(Pets::write).collect(Collectors.joining(",", "[", "]"));
        return value instanceof String text ? quote(text) : String.valueOf(value);
    }

    /** Half a pair of surrogates cannot be written in UTF-8: it is escaped, as control characters are. */
    static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(unit -> {
            if (unit == '"' || unit == '\\') out.append('\\').append((char) unit);
            else if (unit < ' ' || Character.isSurrogate((char) unit)) out.append(String.format("\\u%04x", unit));
            else out.append((char) unit);
        });
        return out.append('"').toString();
    }

    /** Reads JSON: integers of 64 bits as Long, other numbers exactly. */
    static class Reader {
        final String text;
        int at = 0;

        Reader(String text) {
            this.text = text;
        }

        Object whole() {
            Object value = value();
            space();
            if (at != text.length()) throw new IllegalArgumentException();
            return value;
        }

        void space() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        }

        boolean takes(char wanted) {
            space();
            if (text.charAt(at) != wanted) return false;
            at++;
            return true;
        }

        void must(char wanted) {
            if (!takes(wanted)) throw new IllegalArgumentException();
        }

        Object value() {
            space();
            char first = text.charAt(at);
            if (first == '{') return object();
            if (first == '[') return list();
            if (first == '"') return string();
            for (var word : List.of("true", "false", "null")) {
                if (!text.startsWith(word, at)) continue;
                at += word.length();
                return word.equals("null") ? null : (Object) word.equals("true");
            }
            return number();
        }

        Object number() {
            var found = java.util.regex.Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d{1,4})?").matcher(text).region(at, text.length());
            if (!found.lookingAt()) throw new IllegalArgumentException();
            at = found.end();
            BigDecimal exact = new BigDecimal(found.group());
            try {
                return exact.longValueExact();
            } catch (ArithmeticException none) {
                return exact;
            }
        }

        String string() {
            must('"');
            StringBuilder out = new StringBuilder();
            while (text.charAt(at) != '"') {
                char unit = text.charAt(at++);
                if (unit < ' ') throw new IllegalArgumentException();
                out.append(unit == '\\' ? escaped() : unit);
            }
            at++;
            return out.toString();
        }

        char escaped() {
            char unit = text.charAt(at++);
            if (unit == 'u') {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            int known = "\"\\/bfnrt".indexOf(unit);
            if (known < 0) throw new IllegalArgumentException();
            return "\"\\/\b\f\n\r\t".charAt(known);
        }

        List<Object> list() {
            must('[');
            List<Object> items = new ArrayList<>();
            if (takes(']')) return items;
            do items.add(value()); while (takes(','));
            must(']');
            return items;
        }

        Map<String, Object> object() {
            must('{');
            Map<String, Object> members = new LinkedHashMap<>();
            if (takes('}')) return members;
            do {
                space();
                String name = string();
                must(':');
                members.put(name, value());
            } while (takes(','));
            must('}');
            return members;
        }
    }
}
