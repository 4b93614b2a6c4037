package memobj

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// xmlWriter writes answers as S3 does: a control character becomes a character
// reference, which XML 1.0 forbids and no client can read. encoding/xml would
// replace the character and hide the fault that encoding-type=url is there for.
type xmlWriter struct{ bytes.Buffer }

func (x *xmlWriter) open(name string) {
	if x.Len() == 0 {
		x.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	}
	x.WriteString("<" + name + ">")
}

func (x *xmlWriter) close(name string) { x.WriteString("</" + name + ">") }

func (x *xmlWriter) elem(name, text string) {
	x.open(name)
	for _, r := range text {
		switch {
		case r == '&':
			x.WriteString("&amp;")
		case r == '<':
			x.WriteString("&lt;")
		case r == '>':
			x.WriteString("&gt;")
		case r == '"':
			x.WriteString("&quot;")
		case r == '\'':
			x.WriteString("&apos;")
		case r < 0x20, r == 0xFFFE, r == 0xFFFF:
			fmt.Fprintf(x, "&#x%X;", r)
		default:
			x.WriteRune(r)
		}
	}
	x.close(name)
}

// some writes the element unless it is empty.
func (x *xmlWriter) some(name, text string) {
	if text != "" {
		x.elem(name, text)
	}
}

func (x *xmlWriter) bool(name string, v bool)      { x.elem(name, strconv.FormatBool(v)) }
func (x *xmlWriter) int(name string, v int)        { x.elem(name, strconv.Itoa(v)) }
func (x *xmlWriter) time(name string, t time.Time) { x.elem(name, xmlTime(t)) }

func xmlTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func quote(etag string) string { return `"` + etag + `"` }

// urlEncode is what encoding-type=url does to a key: a space becomes "+", and a
// slash stays.
func urlEncode(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "%2F", "/") }
