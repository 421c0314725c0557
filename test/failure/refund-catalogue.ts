/** The catalogue of {@link payingCatalogueFile} with more seats, and compartments that two travellers share. For refund-run.ts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/folders.ts';
import { payingCatalogueFile } from '../support/paged-orders.ts';

const CARRIAGES = 12;
const COMPARTMENTS = 40;

/** The path of a file that holds it. */
export function refundCatalogueFile(): string {
  const catalogue = JSON.parse(readFileSync(payingCatalogueFile(), 'utf8'));
  const [plan] = catalogue.seatPlans;
  const [first] = plan.carriages;
  const carriages = Array.from({ length: CARRIAGES }, (_, at) => ({ ...first, carriageNumber: String(at + 1) }));
  const sleeper = { carriageNumber: String(CARRIAGES + 1), seats: berths(first.seats[0]) };
  const seatPlans = [{ ...plan, carriages: [...carriages, sleeper] }];
  const path = join(temporaryDirectory('refunds'), 'catalogue.json');
  writeFileSync(path, JSON.stringify({ ...catalogue, seatPlans }));
  return path;
}

/** Two in each compartment. */
function berths(seat: { readonly seatingProperties: object }): readonly object[] {
  const seatingProperties = { ...seat.seatingProperties, accommodationFacility: 'SLEEPER' };
  return Array.from({ length: 2 * COMPARTMENTS }, (_, at) => ({
    ...{ seatNumber: String(at + 1), compartmentNumber: String(Math.floor(at / 2) + 1), seatingProperties },
  }));
}
