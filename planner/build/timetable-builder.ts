/**
 * The builder that importers and tests use. It takes elements in any order and packs them. `finish` resolves
 * references, because only then every element is known.
 */
import { addDatedServiceJourney, addInterchange, addServiceJourney } from './add-journeys.ts';
import { addJourneyPattern, addLine } from './add-lines.ts';
import { addQuay, addStopPlace, addTransfer } from './add-places.ts';
import { finishSnapshot } from './finish-snapshot.ts';
import type { TimetableBuilder } from './input.ts';
import { PackedInput } from './packed-input.ts';
import { isTimeZone } from './time-zones.ts';

export function createTimetableBuilder(): TimetableBuilder {
  const input = new PackedInput();
  const { tables } = input;
  let isFinished = false;
  return {
    addAuthority: ({ id, name, url, phone, language, timeZone }) => {
      const isKnown = isTimeZone(timeZone);
      if (!isKnown) input.rejections.add('authority', 'unknown time zone', `${id} ${timeZone}`);
      tables.authority.add({ id, name, url, phone, language, timeZone: isKnown ? timeZone : undefined });
    },
    addOperator: ({ id, name, url, phone }) => void tables.operator.add({ id, name, url, phone }),
    addNotice: ({ id, text, publicCode }) => void tables.notice.add({ id, text, publicCode }),
    addTariffZone: ({ id, name }) => void tables.tariffZone.add({ id, name }),
    addGroupOfLines: ({ id, name, shortName, description, privateCode }) =>
      void tables.groupOfLines.add({ id, name, shortName, description, privateCode }),
    addStopPlace: (place) => addStopPlace(input, place),
    addQuay: (quay) => addQuay(input, quay),
    addTransfer: (transfer) => addTransfer(input, transfer),
    addLine: (line) => addLine(input, line),
    addJourneyPattern: (pattern) => addJourneyPattern(input, pattern),
    addServiceJourney: (journey) => addServiceJourney(input, journey),
    addDatedServiceJourney: (dated) => addDatedServiceJourney(input, dated),
    addInterchange: (interchange) => addInterchange(input, interchange),
    reject: (kind, reason, id) => input.rejections.add(kind, reason, id),
    finish: (options) => {
      // Finishing completes the packed tables in place.
      if (isFinished) throw new Error('a timetable builder makes one snapshot');
      isFinished = true;
      return finishSnapshot(input, options);
    },
  };
}
