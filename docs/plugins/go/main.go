// A coercer in Go behind callfit's wire: JSON-RPC over stdin and stdout, one message a line.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
)

type object = map[string]any

var integer = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

// Your coercer in place of this one, which knows integers and booleans at the top.
func coerce(schema, arguments any) (any, error) {
	values, ok := arguments.(object)
	if !ok {
		return nil, refused("the arguments are no object")
	}
	root, _ := schema.(object)
	properties, _ := root["properties"].(object)
	for name, value := range values {
		property, _ := properties[name].(object)
		text, isText := value.(string)
		switch {
		case !isText:
		case property["type"] == "integer" && integer.MatchString(text):
			values[name] = json.Number(text)
		case property["type"] == "boolean" && (text == "true" || text == "false"):
			values[name] = text == "true"
		}
	}
	return values, nil
}

// The error by which a coercer refuses a call.
type refused string

func (why refused) Error() string { return string(why) }

type request struct {
	ID     json.Number
	Method string
	Params struct{ Schema, Arguments any }
}

func result(asked request) (any, object) {
	switch asked.Method {
	case "initialize":
		about := object{"name": "my-coercer", "version": "1.0.0", "language": "go"}
		return object{"protocol": 1, "implementation": about, "methods": []string{"coerce"}}, nil
	case "coerce":
		arguments, err := coerce(asked.Params.Schema, asked.Params.Arguments)
		if _, ok := err.(refused); ok {
			return nil, object{"code": 1, "message": err.Error()}
		} else if err != nil {
			return nil, object{"code": -32603, "message": err.Error()}
		}
		return object{"arguments": arguments}, nil
	}
	return nil, object{"code": -32601, "message": "not offered"}
}

// Found without the reader, which gives up on what is nested 10,000 deep.
var id = regexp.MustCompile(`"id":\s*(\d+)`)

func answer(line []byte) object {
	asked := request{ID: json.Number(id.FindSubmatch(line)[1])}
	reader := json.NewDecoder(bytes.NewReader(line))
	// Without this every number is a float64, and long integers lose digits.
	reader.UseNumber()
	if err := reader.Decode(&asked); err != nil {
		fault := object{"code": -32603, "message": err.Error()}
		return object{"jsonrpc": "2.0", "id": asked.ID, "error": fault}
	}
	value, fault := result(asked)
	if fault != nil {
		return object{"jsonrpc": "2.0", "id": asked.ID, "error": fault}
	}
	return object{"jsonrpc": "2.0", "id": asked.ID, "result": value}
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		text, err := json.Marshal(answer(line))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(string(text))
	}
}
