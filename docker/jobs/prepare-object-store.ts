/** `node docker/jobs/prepare-object-store.ts`: makes the bucket, at every start, where it is not there yet. */
import { objectStoreShape, parseConfig } from '../../platform/config.ts';
import { redactText } from '../../platform/log.ts';
import { ObjectStore } from '../../platform/object-store/object-store.ts';

try {
  const config = parseConfig(objectStoreShape);
  const store = await ObjectStore.open(config);
  await store.ping();
  store.close();
  process.stdout.write(`The bucket ${config.S3_BUCKET} is there\n`);
} catch (error) {
  process.stderr.write(`${redactText(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}
