/** Dated journeys that replace others: INVALID_SERVICE_ALTERATION and MISSING_REPLACEMENT. */
import type { ModelCheck } from '../model/model-check.ts';
import { semanticRule } from './semantic-rule.ts';

export const INVALID_SERVICE_ALTERATION = semanticRule(
  'INVALID_SERVICE_ALTERATION',
  'WARNING',
  'Invalid/Missing ServiceAlteration',
  'A dated journey that another one replaces is not marked "replaced"',
  'A DatedServiceJourney with <DatedServiceJourneyRef …/> to one that says <ServiceAlteration>cancellation</…>',
  'Give the dated journey that is replaced the ServiceAlteration "replaced".',
);
export const MISSING_REPLACEMENT = semanticRule(
  'MISSING_REPLACEMENT',
  'WARNING',
  'Missing replacement for ServiceAlteration',
  'A dated journey marked "replaced" has no replacement',
  'A DatedServiceJourney says <ServiceAlteration>replaced</…> but no other refers to it',
  'Add the DatedServiceJourney that runs instead, with a DatedServiceJourneyRef to this one; if none runs, say "cancellation".',
);

const REPLACED = 'replaced';

/** A journey and its replacement are searched within one file, as in the reference validator; the message says so. */
const replacedIsMarked: ModelCheck = {
  rules: [INVALID_SERVICE_ALTERATION],
  check(run, model) {
    const reported = new Set<string>();
    for (const replacing of model.datedServiceJourneys) {
      for (const ref of replacing.replacedRefs) {
        const replaced = model.findDatedServiceJourney(ref);
        if (!replaced || replaced.serviceAlteration === REPLACED || reported.has(ref)) continue;
        reported.add(ref);
        const alteration = replaced.serviceAlteration;
        run.report(INVALID_SERVICE_ALTERATION, replaced, () => {
          const said =
            alteration === undefined ? 'has no ServiceAlteration' : `has the ServiceAlteration "${alteration}"`;
          return `DatedServiceJourney ${ref} is replaced by ${replacing.id} but ${said}; expected "replaced".`;
        });
      }
    }
  },
};

const replacedHasReplacement: ModelCheck = {
  rules: [MISSING_REPLACEMENT],
  check(run, { datedServiceJourneys }) {
    const replaced = new Set(datedServiceJourneys.flatMap(({ replacedRefs }) => replacedRefs));
    for (const journey of datedServiceJourneys) {
      if (journey.serviceAlteration !== REPLACED || replaced.has(journey.id)) continue;
      run.report(
        MISSING_REPLACEMENT,
        journey,
        () =>
          `DatedServiceJourney ${journey.id} is marked "replaced", but no dated journey of this file refers to it; expected the one that runs instead.`,
      );
    }
  },
};

export const serviceAlterationChecks: readonly ModelCheck[] = [replacedIsMarked, replacedHasReplacement];
