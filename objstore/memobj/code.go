package memobj

import "net/http"

// Code is an error code of S3, and an error itself.
type Code string

// Error returns the code.
func (c Code) Error() string { return string(c) }

// The codes that tests inject.
const (
	AccessDenied  Code = "AccessDenied"
	InternalError Code = "InternalError"
	SlowDown      Code = "SlowDown"
	// NoAnswer, in Fault.Entries only, deletes the entry and leaves it out of
	// the answer.
	NoAnswer Code = ""
)

const (
	badDigest            Code = "BadDigest"
	bucketNotEmpty       Code = "BucketNotEmpty"
	bucketOwned          Code = "BucketAlreadyOwnedByYou"
	entityTooSmall       Code = "EntityTooSmall"
	incompleteBody       Code = "IncompleteBody"
	invalidArgument      Code = "InvalidArgument"
	invalidBucketName    Code = "InvalidBucketName"
	invalidBucketState   Code = "InvalidBucketState"
	invalidPart          Code = "InvalidPart"
	invalidPartOrder     Code = "InvalidPartOrder"
	invalidRequest       Code = "InvalidRequest"
	invalidURI           Code = "InvalidURI"
	keyTooLong           Code = "KeyTooLongError"
	malformedXML         Code = "MalformedXML"
	methodNotAllowed     Code = "MethodNotAllowed"
	missingContentLength Code = "MissingContentLength"
	noSuchBucket         Code = "NoSuchBucket"
	noSuchKey            Code = "NoSuchKey"
	noSuchLifecycle      Code = "NoSuchLifecycleConfiguration"
	noSuchLock           Code = "NoSuchObjectLockConfiguration"
	noSuchLockConfig     Code = "ObjectLockConfigurationNotFoundError"
	noSuchUpload         Code = "NoSuchUpload"
	noSuchVersion        Code = "NoSuchVersion"
	notImplemented       Code = "NotImplemented"
	preconditionFailed   Code = "PreconditionFailed"
	serviceUnavailable   Code = "ServiceUnavailable"
)

// httpStatus is the status that S3 answers a code with.
func (c Code) httpStatus() int {
	switch c {
	case AccessDenied:
		return http.StatusForbidden
	case noSuchBucket, noSuchKey, noSuchVersion, noSuchUpload, noSuchLifecycle, noSuchLock, noSuchLockConfig:
		return http.StatusNotFound
	case methodNotAllowed:
		return http.StatusMethodNotAllowed
	case bucketNotEmpty, bucketOwned, invalidBucketState:
		return http.StatusConflict
	case missingContentLength:
		return http.StatusLengthRequired
	case preconditionFailed:
		return http.StatusPreconditionFailed
	case InternalError:
		return http.StatusInternalServerError
	case notImplemented:
		return http.StatusNotImplemented
	case SlowDown, serviceUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}
