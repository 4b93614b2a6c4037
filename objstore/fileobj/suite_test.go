package fileobj

import (
	"context"
	"testing"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/objstoretest"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	open := func(t *testing.T) objstore.Bucket { return newBucket(t, objstore.Unversioned) }
	objstoretest.Run(t, open, objstoretest.Features{
		SetVersioning: func(ctx context.Context, b objstore.Bucket, status objstore.VersioningStatus) error {
			return b.(*Bucket).SetVersioning(ctx, status)
		},
	})
}
