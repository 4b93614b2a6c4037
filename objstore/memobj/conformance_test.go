package memobj_test

import (
	"context"
	"testing"

	"github.com/softdelete-go/softdelete/objstore"
	"github.com/softdelete-go/softdelete/objstore/memobj"
	"github.com/softdelete-go/softdelete/objstore/objstoretest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	objstoretest.Run(t, func(t *testing.T) objstore.Bucket { return open(t, nil) }, objstoretest.Features{
		SetVersioning: func(ctx context.Context, b objstore.Bucket, status objstore.VersioningStatus) error {
			return b.(*memobj.Bucket).SetVersioning(ctx, status)
		},
		OpenLocked: func(t *testing.T) objstore.Bucket { return open(t, &memobj.Options{ObjectLock: true}) },
		SetLock: func(ctx context.Context, b objstore.Bucket, id objstore.ID, lock objstore.Lock) error {
			return b.(*memobj.Bucket).SetLock(ctx, id, lock)
		},
	})
}

func open(t *testing.T, opts *memobj.Options) *memobj.Bucket {
	t.Helper()
	b, err := memobj.New("archive", opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
