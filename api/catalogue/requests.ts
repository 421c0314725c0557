/**
 * Reads a catalogue that the schema accepts. One that the rules refuse is answered with its faults, so one correction is
 * mostly enough; the answer stays small however many there are.
 */
import { contentOf } from '../../activities/catalogue/catalogue-content.ts';
import { catalogueFaults } from '../../activities/catalogue/catalogue-faults.ts';
import type { GivenCatalogue } from '../../activities/catalogue/given-catalogue.ts';
import type { CatalogueContent } from '../../activities/shared/catalogue.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';

/** As for faults of the shape. */
const MAX_ITEMS = 50;

export function readContent(given: GivenCatalogue): CatalogueContent {
  const errors = catalogueFaults(given, MAX_ITEMS);
  const [first] = errors;
  if (!first) return contentOf(given);
  const atLeast = errors.length === MAX_ITEMS ? 'at least ' : '';
  const others = errors.length > 1 ? `, and ${atLeast}${errors.length - 1} more` : '';
  throw new ServiceError('VALIDATION_FAILED', `${first.pointer} ${first.detail}${others}`, { status: 422, errors });
}
