/** A validation worker without its schemas reports this and ends, so that imports do not wait for it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireSchemas } from '../../activities/timetable/schema-folder.ts';
import { projectRoot } from '../../dev/setup/resolve.mjs';
import { temporaryDirectory, xsdDirectory } from '../support/folders.ts';

describe('the start of a validation worker', () => {
  it('accepts the schemas as fetched', () => requireSchemas(xsdDirectory()));

  it('is refused without schemas, in one sentence that names the variable', () => {
    const env = {
      PATH: process.env.PATH,
      ENVIRONMENT: 'development',
      PORT: '0',
      PAYLOAD_KEYS: 'k:k',
      WORKFLOW_BUNDLE: 'x',
      MONGODB_URI: 'mongodb://127.0.0.1:9',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_ACCESS_KEY_ID: 'k',
      S3_SECRET_ACCESS_KEY: 'k',
      NETEX_XSD_DIR: '/nowhere/xsd',
    };
    const entry = join(projectRoot, 'workers/main.ts');
    const { status, stderr } = spawnSync(process.execPath, [entry, 'timetable-validation-worker'], {
      env,
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.equal(status, 1);
    assert.match(stderr, /^The configuration is not usable: NETEX_XSD_DIR: .*\/nowhere\/xsd holds no NeTEx schemas/);
  });

  it('is refused when a version is incomplete', () => {
    const folder = temporaryDirectory('xsd');
    assert.throws(() => requireSchemas(folder), /holds no NeTEx schemas/);
    mkdirSync(join(folder, '1.15'));
    writeFileSync(join(folder, '1.15/NeTEx_publication.xsd'), '');
    assert.throws(
      () => requireSchemas(folder),
      /NETEX_XSD_DIR: .*1\.15\/NeTEx_publication-NoConstraint\.xsd cannot be read/,
    );
  });
});
