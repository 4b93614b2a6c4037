//go:build linux || darwin

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"syscall"

	"github.com/softdelete-go/softdelete/internal/clock"
)

// s3Identities is the server's only account. Tests may do everything.
const s3Identities = `{"identities": [{
	"name": "testbed",
	"credentials": [{"accessKey": %q, "secretKey": %q}],
	"actions": ["Admin", "Read", "Write", "List", "Tagging"]
}]}`

// startS3 starts SeaweedFS with one server of each kind in one process.
func startS3(ctx context.Context, b *bed) error {
	weed, err := weedProgram(ctx)
	if err != nil {
		return err
	}
	begin := clock.System.Now()
	data, err := b.mkdir("s3", nil)
	if err != nil {
		return err
	}
	accessKey, secretKey := rand.Text(), rand.Text()
	identities := b.path("s3.json")
	if err := writeConfig(identities, fmt.Sprintf(s3Identities, accessKey, secretKey)); err != nil {
		return err
	}
	args := []string{
		"-logtostderr", // otherwise logs go to the system's temporary directory
		"server",
		"-dir=" + data, "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
		"-master.peers=none", "-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-volume.max=300",
		"-filer", "-filer.localSocket=" + b.path("filer.sock"),
		"-s3", "-s3.localSocket=" + b.path("s3.sock"), "-s3.config=" + identities,
		"-s3.allowBackslashInKey",                // as AWS does
		"-s3.port.iceberg=0", "-s3.port.lance=0", // fixed ports otherwise
	}
	p := &process{
		name:       "s3",
		stopSignal: syscall.SIGKILL,
		env: []string{
			"WEED_MASTER_VOLUME_GROWTH_COPY_1=1",               // volumes a bucket takes, 7 otherwise
			"WEED_MASTER_VOLUME_GROWTH_ALLOCATION_DEFERRAL=0s", // there is no earlier state to wait for
		},
	}
	var endpoint string
	for _, service := range []string{"master", "volume", "filer", "s3"} {
		port, err := b.ports.take()
		if err != nil {
			return err
		}
		grpc, err := b.ports.take()
		if err != nil {
			return err
		}
		args = append(args, fmt.Sprintf("-%s.port=%d", service, port), fmt.Sprintf("-%s.port.grpc=%d", service, grpc))
		p.leftovers = append(p.leftovers, fmt.Sprintf("/tmp/seaweedfs-%s-grpc-%d.sock", service, grpc))
		endpoint = "http://" + loopback(port) // the last service's
	}
	if err := b.spawn(p, weed, args...); err != nil {
		return err
	}
	b.setenv("SOFTDELETE_S3_ENDPOINT", endpoint)
	b.setenv("SOFTDELETE_S3_ACCESS_KEY", accessKey)
	b.setenv("SOFTDELETE_S3_SECRET_KEY", secretKey)
	client := s3Client(endpoint, accessKey, secretKey)
	return waitReady(ctx, p, begin, func(ctx context.Context) error { return probeS3(ctx, client) })
}
