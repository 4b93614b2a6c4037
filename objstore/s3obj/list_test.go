package s3obj

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/google/go-cmp/cmp"

	"github.com/softdelete-go/softdelete/objstore"
)

// collect returns what a listing yields, as "key version", and its error, which
// must be the last element.
func collect(t *testing.T, listing iter.Seq2[objstore.Object, error]) ([]string, error) {
	t.Helper()
	var all []string
	var failed error
	for o, err := range listing {
		if failed != nil {
			t.Errorf("%v, %v behind the error %v", o, err, failed)
		}
		if failed = err; err == nil {
			all = append(all, strings.TrimSuffix(o.Key+" "+o.Version, " "))
		}
	}
	return all, failed
}

// objectPages answers with one page after the other.
func objectPages(pages ...s3.ListObjectsV2Output) *fake {
	n := 0
	return &fake{listObjects: func(*s3.ListObjectsV2Input) (*s3.ListObjectsV2Output, error) {
		if n++; n > len(pages) {
			return nil, errors.New("asked for a page that does not exist")
		}
		return &pages[n-1], nil
	}}
}

func objects(next string, keys ...string) s3.ListObjectsV2Output {
	out := s3.ListObjectsV2Output{IsTruncated: aws.Bool(next != "")}
	if next != "" {
		out.NextContinuationToken = aws.String(next)
	}
	for _, key := range keys {
		out.Contents = append(out.Contents, content(key))
	}
	return out
}

func TestObjectsNoticesContradictions(t *testing.T) {
	t.Parallel()
	cut := objects("", "p/a")
	cut.IsTruncated = aws.Bool(true)
	unsaid := objects("t", "p/a")
	unsaid.IsTruncated = nil
	rolled := objects("", "p/a")
	rolled.CommonPrefixes = []types.CommonPrefix{{Prefix: aws.String("p/x/")}}
	tests := []struct {
		name  string
		pages []s3.ListObjectsV2Output
		after string
		want  []string
		good  bool
	}{
		{name: "two pages", pages: []s3.ListObjectsV2Output{objects("t", "p/a"), objects("", "p/b")}, want: []string{"p/a", "p/b"}, good: true},
		{name: "an empty page between", pages: []s3.ListObjectsV2Output{objects("t", "p/a"), objects("u"), objects("", "p/b")}, want: []string{"p/a", "p/b"}, good: true},
		{name: "nothing", pages: []s3.ListObjectsV2Output{objects("")}, good: true},
		{name: "cut without a token", pages: []s3.ListObjectsV2Output{cut}},
		{name: "a token, but not said to be cut", pages: []s3.ListObjectsV2Output{unsaid}},
		{name: "rolled up", pages: []s3.ListObjectsV2Output{rolled}},
		{name: "the same token again", pages: []s3.ListObjectsV2Output{objects("t", "p/a"), objects("t", "p/b")}, want: []string{"p/a", "p/b"}},
		{name: "backwards", pages: []s3.ListObjectsV2Output{objects("", "p/b", "p/a")}, want: []string{"p/b"}},
		{name: "backwards over pages", pages: []s3.ListObjectsV2Output{objects("t", "p/b"), objects("", "p/a")}, want: []string{"p/b"}},
		{name: "repeated", pages: []s3.ListObjectsV2Output{objects("", "p/a", "p/a")}, want: []string{"p/a"}},
		{name: "repeated over pages", pages: []s3.ListObjectsV2Output{objects("t", "p/a"), objects("", "p/a")}, want: []string{"p/a"}},
		{name: "outside the prefix", pages: []s3.ListObjectsV2Output{objects("", "p/a", "q/a")}, want: []string{"p/a"}},
		{name: "the key it should be behind", after: "p/a", pages: []s3.ListObjectsV2Output{objects("", "p/a")}},
		{name: "no key", pages: []s3.ListObjectsV2Output{objects("", "")}},
		{name: "mangled", pages: []s3.ListObjectsV2Output{objects("", "p/a\uFFFDb")}},
		{name: "collated", pages: []s3.ListObjectsV2Output{objects("", "p/a", "p/B")}, want: []string{"p/a"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := newBucket(t, objectPages(test.pages...))
			got, err := collect(t, b.Objects(t.Context(), "p/", &objstore.ListOptions{After: test.after}))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("yielded (-want +got):\n%s", diff)
			}
			if test.good != (err == nil) || !test.good && !errors.Is(err, objstore.ErrIncomplete) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestEndlessEmptyPagesEnd(t *testing.T) {
	t.Parallel()
	n := 0
	b := newBucket(t, &fake{listObjects: func(*s3.ListObjectsV2Input) (*s3.ListObjectsV2Output, error) {
		n++
		out := objects(fmt.Sprint(n))
		return &out, nil
	}})
	if _, err := collect(t, b.Objects(t.Context(), "", nil)); !errors.Is(err, objstore.ErrIncomplete) {
		t.Errorf("after %d pages: %v", n, err)
	}
}

func versionPages(pages ...s3.ListObjectVersionsOutput) *fake {
	n := 0
	return &fake{listVersions: func(*s3.ListObjectVersionsInput) (*s3.ListObjectVersionsOutput, error) {
		if n++; n > len(pages) {
			return nil, errors.New("asked for a page that does not exist")
		}
		return &pages[n-1], nil
	}}
}

// versions makes a page; next is "key version".
func versions(next string, ids ...string) s3.ListObjectVersionsOutput {
	out := s3.ListObjectVersionsOutput{IsTruncated: aws.Bool(next != "")}
	if next != "" {
		at := pair(next)
		out.NextKeyMarker, out.NextVersionIdMarker = aws.String(at.Key), aws.String(at.Version)
	}
	for _, text := range ids {
		id := pair(text)
		if strings.HasPrefix(id.Version, "m") {
			out.DeleteMarkers = append(out.DeleteMarkers, marked(id.Key, id.Version))
		} else {
			out.Versions = append(out.Versions, version(id.Key, id.Version))
		}
	}
	return out
}

func TestVersionsNoticesContradictions(t *testing.T) {
	t.Parallel()
	keyOnly := versions("p/a ", "p/a 1")
	tests := []struct {
		name  string
		pages []s3.ListObjectVersionsOutput
		want  []string
		good  bool
	}{
		{name: "one key over pages", pages: []s3.ListObjectVersionsOutput{versions("p/a 2", "p/a 1", "p/a 2"), versions("", "p/a 3", "p/b m")}, want: []string{"p/a 1", "p/a 2", "p/a 3", "p/b m"}, good: true},
		{name: "null", pages: []s3.ListObjectVersionsOutput{versions("", "p/a null", "p/b null")}, want: []string{"p/a null", "p/b null"}, good: true},
		{name: "a key marker alone", pages: []s3.ListObjectVersionsOutput{keyOnly}},
		{name: "the same marker again", pages: []s3.ListObjectVersionsOutput{versions("p/a 1", "p/a 1"), versions("p/a 1", "p/a 2")}, want: []string{"p/a 1", "p/a 2"}},
		{name: "a marker that leads back", pages: []s3.ListObjectVersionsOutput{versions("p/a 1", "p/a 1", "p/b 1")}, want: []string{"p/a 1", "p/b 1"}},
		{name: "a marker that leads back, without entries", pages: []s3.ListObjectVersionsOutput{versions("p/b 1"), versions("p/a 1")}},
		{name: "repeated", pages: []s3.ListObjectVersionsOutput{versions("", "p/a 1", "p/a 2", "p/a 1")}, want: []string{"p/a 1", "p/a 2"}},
		{name: "repeated over pages", pages: []s3.ListObjectVersionsOutput{versions("p/a 2", "p/a 1", "p/a 2"), versions("", "p/a 1")}, want: []string{"p/a 1", "p/a 2"}},
		{name: "backwards", pages: []s3.ListObjectVersionsOutput{versions("", "p/b 1", "p/a 1")}, want: []string{"p/b 1"}},
		{name: "markers backwards", pages: []s3.ListObjectVersionsOutput{versions("", "p/b m1", "p/a m1")}, want: []string{"p/b m1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := collect(t, newBucket(t, versionPages(test.pages...)).Versions(t.Context(), "p/", nil))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("yielded (-want +got):\n%s", diff)
			}
			if test.good != (err == nil) || !test.good && !errors.Is(err, objstore.ErrIncomplete) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestVersionsMergesInOrder restores what the SDK took apart.
func TestVersionsMergesInOrder(t *testing.T) {
	t.Parallel()
	at := func(seconds int) *time.Time { return aws.Time(now.Add(time.Duration(seconds) * time.Second)) }
	page := s3.ListObjectVersionsOutput{IsTruncated: aws.Bool(false)}
	page.Versions = []types.ObjectVersion{
		{Key: aws.String("a"), VersionId: aws.String("3"), LastModified: at(3)},
		{Key: aws.String("a"), VersionId: aws.String("1"), LastModified: at(1)},
		{Key: aws.String("c"), VersionId: aws.String("5"), LastModified: at(1), IsLatest: aws.Bool(true), ETag: aws.String(`"e"`), Size: aws.Int64(7)},
	}
	page.DeleteMarkers = []types.DeleteMarkerEntry{
		{Key: aws.String("a"), VersionId: aws.String("4"), LastModified: at(3), IsLatest: aws.Bool(true)},
		{Key: aws.String("a"), VersionId: aws.String("2"), LastModified: at(2)},
		{Key: aws.String("b"), VersionId: aws.String("1"), LastModified: at(9), IsLatest: aws.Bool(true)},
		{Key: aws.String("c"), VersionId: aws.String("4"), LastModified: at(1)},
	}
	b := newBucket(t, versionPages(page))
	var got []string
	for o, err := range b.Versions(t.Context(), "", nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, o.Key+o.Version)
		want := objstore.Object{Key: "c", Version: "5", Latest: true, Size: 7, ETag: "e", Modified: now.Add(time.Second)}
		if diff := cmp.Diff(want, o); o.Version == "5" && diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if diff := cmp.Diff([]string{"a4", "a3", "a2", "a1", "b1", "c5", "c4"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeysAreDecodedWhereTheAnswerSaysSo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		encoded bool
		key     string
		want    string // empty is a refusal
	}{
		{name: "space as plus", encoded: true, key: "a+b", want: "a b"},
		{name: "plus", encoded: true, key: "a%2Bb", want: "a+b"},
		{name: "percent", encoded: true, key: "a%252Bb", want: "a%2Bb"},
		{name: "control", encoded: true, key: "a%01b", want: "a\x01b"},
		{name: "composed", encoded: true, key: "%C3%A9", want: "é"},
		{name: "decomposed", encoded: true, key: "e%CC%81", want: "e\u0301"},
		{name: "broken escape", encoded: true, key: "a%zzb"},
		{name: "not encoded", key: "a%2Bb+c", want: "a%2Bb+c"},
		{name: "not encoded and mangled", key: "a\uFFFDb"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var encoding types.EncodingType
			if test.encoded {
				encoding = types.EncodingTypeUrl
			}
			one := objects("", test.key)
			one.EncodingType = encoding
			two, three := versions("", test.key+" 1"), versions("", test.key+" m1")
			two.EncodingType, three.EncodingType = encoding, encoding
			if strings.Contains(test.key, " ") {
				t.Fatal("the helpers cut at spaces")
			}
			for name, listing := range map[string]iter.Seq2[objstore.Object, error]{
				"objects":  newBucket(t, objectPages(one)).Objects(t.Context(), "", nil),
				"versions": newBucket(t, versionPages(two)).Versions(t.Context(), "", nil),
				"markers":  newBucket(t, versionPages(three)).Versions(t.Context(), "", nil),
			} {
				for o, err := range listing {
					if refused := test.want == ""; refused != errors.Is(err, objstore.ErrIncomplete) {
						t.Errorf("%s: %v", name, err)
					}
					if o.Key != test.want {
						t.Errorf("%s: %q", name, o.Key)
					}
				}
			}
		})
	}
}

func TestMarkersAreDecoded(t *testing.T) {
	t.Parallel()
	first := versions("a%2Bb v1", "a%2Bb v1")
	first.EncodingType = types.EncodingTypeUrl
	var asked []string
	b := newBucket(t, &fake{listVersions: func(in *s3.ListObjectVersionsInput) (*s3.ListObjectVersionsOutput, error) {
		asked = append(asked, aws.ToString(in.KeyMarker)+" "+aws.ToString(in.VersionIdMarker))
		if len(asked) == 1 {
			return &first, nil
		}
		last := versions("")
		return &last, nil
	}})
	if _, err := collect(t, b.Versions(t.Context(), "", &objstore.ListOptions{After: "a"})); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a ", "a+b v1"}, asked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestListingsAskForEncodedKeys(t *testing.T) {
	t.Parallel()
	done := errors.New("done")
	opts := &objstore.ListOptions{After: "p/a", Page: 7}
	b := newBucket(t, &fake{
		listObjects: func(in *s3.ListObjectsV2Input) (*s3.ListObjectsV2Output, error) {
			if in.EncodingType != types.EncodingTypeUrl || *in.MaxKeys != 7 || *in.StartAfter != "p/a" || *in.Prefix != "p/" {
				t.Errorf("asked %+v", in)
			}
			return nil, done
		},
		listVersions: func(in *s3.ListObjectVersionsInput) (*s3.ListObjectVersionsOutput, error) {
			if in.EncodingType != types.EncodingTypeUrl || *in.MaxKeys != 7 || *in.KeyMarker != "p/a" || *in.Prefix != "p/" {
				t.Errorf("asked %+v", in)
			}
			return nil, done
		},
	})
	for _, listing := range []iter.Seq2[objstore.Object, error]{b.Objects(t.Context(), "p/", opts), b.Versions(t.Context(), "p/", opts)} {
		if _, err := collect(t, listing); !errors.Is(err, done) {
			t.Errorf("got %v", err)
		}
	}
}

func TestPagesOutOfBounds(t *testing.T) {
	t.Parallel()
	for _, page := range []int{-1, 1001} {
		b := newBucket(t, &fake{})
		if _, err := collect(t, b.Objects(t.Context(), "", &objstore.ListOptions{Page: page})); !errors.Is(err, objstore.ErrInvalid) {
			t.Errorf("a page of %d: %v", page, err)
		}
	}
}

func TestBreakingOutStopsThePaging(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objectPages(objects("t", "a", "b")))
	for range b.Objects(t.Context(), "", nil) {
		break
	}
}

func TestListingsCanBeRangedOverAgain(t *testing.T) {
	t.Parallel()
	b := newBucket(t, objectPages(objects("t", "a"), objects("", "b"), objects("", "a")))
	listing := b.Objects(t.Context(), "", nil)
	for _, want := range [][]string{{"a", "b"}, {"a"}} {
		if got, err := collect(t, listing); err != nil || !cmp.Equal(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	}
}
