/** The carriages of a journey, from the catalogue in force. */
import type { Carriage } from '../../workflows/shared/seats.ts';
import { type FareReader, trainOf } from '../shared/fares.ts';
import type { StretchOfJourney } from '../shared/seating.ts';

/** None where no train of the catalogue runs the journey. */
export async function listCarriages(
  fares: Pick<FareReader, 'lately'>,
  journey: Omit<StretchOfJourney, 'fromPosition' | 'toPosition'>,
): Promise<readonly Carriage[]> {
  const current = await fares.lately();
  const train = trainOf(current, journey);
  return (train && current.seatPlans.get(train.seatPlanId)?.carriages) ?? [];
}
