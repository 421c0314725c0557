/**
 * Checks what the service is made of: licences of the packages that production runs, known vulnerabilities of all
 * packages, digests of images. Part of `npm run check`; alone: `npm run check:supply-chain`, and `-- --licences` to
 * list them.
 *
 * A vulnerability or licence that is not allowed fails (allowed.ts). When the registry's data cannot be had, the check
 * says so and does not fail, so that work goes on offline. An image without a digest is a warning: only an engine can
 * fetch digests.
 */
import { resolve } from 'node:path';
import { fetchAdvisories, findAdvisoryFaults } from './advisories.ts';
import { ALLOWED_ADVISORIES, ALLOWED_LICENCES, LICENCE_EXCEPTIONS } from './allowed.ts';
import { isPinned, listImages } from './images.ts';
import { findLicenceFaults, listLicences } from './licences.ts';

const root = resolve(import.meta.dirname, '../..');
const licences = listLicences(root);

async function checkAdvisories(): Promise<readonly string[]> {
  try {
    const found = await fetchAdvisories(root);
    console.log(`Vulnerabilities known to the registry: ${found.length}, allowed: ${ALLOWED_ADVISORIES.length}`);
    return findAdvisoryFaults(found, ALLOWED_ADVISORIES, new Date().toISOString().slice(0, 10));
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    console.warn(`NOT CHECKED: vulnerabilities. The registry's data cannot be had: ${why}`);
    return [];
  }
}

if (process.argv.includes('--licences')) {
  for (const { name, version, licence } of licences) console.log(`${name} ${version}: ${licence || 'none named'}`);
} else {
  const faults = [...findLicenceFaults(licences, ALLOWED_LICENCES, LICENCE_EXCEPTIONS), ...(await checkAdvisories())];
  const unpinned = listImages(root).filter((image) => !isPinned(image));
  if (unpinned.length > 0) {
    console.warn(`NOT PINNED: ${unpinned.length} images have no digest (npm run docker:pin): ${unpinned.join(', ')}`);
  }
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) {
    console.error('Upgrade or replace the package, or allow it with a reason in dev/supply-chain/allowed.ts');
    process.exitCode = 1;
  }
}
