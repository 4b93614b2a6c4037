package memobj

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// crc64NVME is the polynomial of CRC-64/NVME, reflected.
const crc64NVME = 0x9a6c9329ac4bc9b5

// checksums are the ones that a client may send, by header.
var checksums = map[string]func() hash.Hash{
	"Content-Md5":              md5.New,
	"X-Amz-Checksum-Crc32":     func() hash.Hash { return crc32.NewIEEE() },
	"X-Amz-Checksum-Crc32c":    func() hash.Hash { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) },
	"X-Amz-Checksum-Crc64nvme": func() hash.Hash { return crc64.New(crc64.MakeTable(crc64NVME)) },
	"X-Amz-Checksum-Sha1":      sha1.New,
	"X-Amz-Checksum-Sha256":    sha256.New,
}

// body reads the request's payload whole, out of its chunks where it is in
// chunks, and checks it against every length and checksum the client gave.
func (q *request) body() ([]byte, error) {
	chunked := strings.HasPrefix(q.Header.Get("X-Amz-Content-Sha256"), "STREAMING-")
	if q.ContentLength < 0 && !chunked {
		return nil, missingContentLength
	}
	var (
		data []byte
		err  error
	)
	if chunked {
		data, err = q.readChunks()
	} else {
		data, err = io.ReadAll(q.Body)
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: %w", err, incompleteBody)
	case err != nil:
		return nil, err
	case q.ContentLength >= 0 && !chunked && int64(len(data)) != q.ContentLength:
		return nil, incompleteBody
	}
	_, err = q.verify(q.Header, data)
	return data, err
}

// verify returns the number of checksums in the header that it checked.
func (q *request) verify(h http.Header, data []byte) (checked int, err error) {
	for name, newHash := range checksums {
		want := h.Get(name)
		if want == "" {
			continue
		}
		sum := newHash()
		sum.Write(data)
		if got := base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != want {
			return checked, fmt.Errorf("%s is %s, want %s: %w", name, got, want, badDigest)
		}
		checked++
	}
	return checked, nil
}

// readChunks decodes aws-chunked: lines of "size;signature", each with its
// bytes, and trailers behind the chunk of size 0. Signatures are not checked.
func (q *request) readChunks() ([]byte, error) {
	want, err := strconv.ParseInt(q.Header.Get("X-Amz-Decoded-Content-Length"), 10, 64)
	if err != nil {
		return nil, missingContentLength
	}
	r := bufio.NewReader(q.Body)
	var data bytes.Buffer
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		text, _, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ";")
		size, err := strconv.ParseUint(text, 16, 31)
		if err != nil {
			return nil, fmt.Errorf("chunk size %q: %w", text, invalidRequest)
		}
		if size == 0 {
			break
		}
		if _, err := io.CopyN(&data, r, int64(size)); err != nil {
			return nil, err
		}
		if _, err := r.Discard(len("\r\n")); err != nil {
			return nil, err
		}
	}
	if int64(data.Len()) != want {
		return nil, incompleteBody
	}
	return data.Bytes(), q.readTrailers(r, data.Bytes())
}

func (q *request) readTrailers(r *bufio.Reader, data []byte) error {
	trailers := http.Header{}
	for {
		line, err := r.ReadString('\n')
		line = strings.TrimRight(line, "\r\n")
		if name, value, ok := strings.Cut(line, ":"); ok {
			trailers.Set(strings.TrimSpace(name), strings.TrimSpace(value))
		}
		if err == io.EOF || line == "" {
			break
		}
		if err != nil {
			return err
		}
	}
	_, err := q.verify(trailers, data)
	return err
}

// decode reads the payload as XML.
func (q *request) decode(v any) error {
	data, err := q.body()
	if err != nil {
		return err
	}
	if err := xml.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%w: %w", err, malformedXML)
	}
	return nil
}
