/** What the API tells Prometheus of its areas beside its requests. Caller: server.ts. */
import { Gauge, Histogram, type Registry } from 'prom-client';

/** To be called with the size of each archive that has arrived. */
export function measureUploads(registry: Registry): (bytes: number) => void {
  const uploads = new Histogram({
    name: 'timetable_upload_bytes',
    help: 'Archives that have arrived whole, by size; the sum is how much was uploaded',
    buckets: [100_000, 1_000_000, 10_000_000, 50_000_000, 100_000_000, 150_000_000],
    registers: [registry],
  });
  return (bytes) => uploads.observe(bytes);
}

export function watchFeed(registry: Registry, feed: { readonly waiting: number }): void {
  new Gauge({
    name: 'events_readers_waiting',
    help: 'Requests for events that wait for the next one',
    registers: [registry],
    collect() {
      this.set(feed.waiting);
    },
  });
}
