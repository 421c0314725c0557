/** Dated journeys, a journey on one day: DATED_SERVICE_JOURNEY_1 to DATED_SERVICE_JOURNEY_5. */
import type { OpenElement } from '../xml/scan.ts';
import type { Check, RuleRun } from './check.ts';
import { idOf } from './children.ts';
import { lineFileRule } from './rule.ts';

export const DATED_SERVICE_JOURNEY_1 = lineFileRule(
  'DATED_SERVICE_JOURNEY_1',
  'ERROR',
  'DatedServiceJourney missing OperatingDayRef',
  'Dated journey without operating day',
  '<DatedServiceJourney id="ABC:DatedServiceJourney:1" version="1"><ServiceJourneyRef …/>…</DatedServiceJourney> without OperatingDayRef',
  'Add the OperatingDayRef of the day on which it runs.',
);
export const DATED_SERVICE_JOURNEY_2 = lineFileRule(
  'DATED_SERVICE_JOURNEY_2',
  'ERROR',
  'DatedServiceJourney missing ServiceJourneyRef',
  'Dated journey without service journey',
  '<DatedServiceJourney id="ABC:DatedServiceJourney:1" version="1"><OperatingDayRef …/>…</DatedServiceJourney> without ServiceJourneyRef',
  'Add the ServiceJourneyRef of the journey whose times it keeps.',
);
export const DATED_SERVICE_JOURNEY_3 = lineFileRule(
  'DATED_SERVICE_JOURNEY_3',
  'ERROR',
  'DatedServiceJourney multiple ServiceJourneyRef',
  'Dated journey refers to several service journeys',
  '<DatedServiceJourney …><ServiceJourneyRef ref="ABC:ServiceJourney:1"/><ServiceJourneyRef ref="ABC:ServiceJourney:2"/>',
  'Keep one ServiceJourneyRef; write another dated journey for the other service journey.',
);
export const DATED_SERVICE_JOURNEY_4 = lineFileRule(
  'DATED_SERVICE_JOURNEY_4',
  'WARNING',
  'DatedServiceJourney multiple versions',
  'Same dated journey id repeated with another version',
  '<DatedServiceJourney id="ABC:DatedServiceJourney:1" version="1"/><DatedServiceJourney id="ABC:DatedServiceJourney:1" version="2"/>',
  'Keep the version that is in force.',
);
export const DATED_SERVICE_JOURNEY_5 = lineFileRule(
  'DATED_SERVICE_JOURNEY_5',
  'ERROR',
  'DatedServiceJourney multiple references to the same DatedServiceJourney',
  'Dated journey replaces the same dated journey twice',
  '<DatedServiceJourneyRef ref="ABC:DatedServiceJourney:1"/><DatedServiceJourneyRef ref="ABC:DatedServiceJourney:1"/>',
  'Name each journey that it replaces once.',
);

/** Watches the open journey, one after the other; a file may have hundreds of thousands. */
class DatedJourneyWatch {
  readonly #run: RuleRun;
  readonly #replaced = new Set<string>();
  #depth = 0;
  #serviceJourneys = 0;
  #hasDay = false;

  constructor(run: RuleRun) {
    this.#run = run;
  }

  open(journey: OpenElement): void {
    if (journey.parent?.name !== 'vehicleJourneys') return;
    this.#depth = journey.depth;
    this.#serviceJourneys = 0;
    this.#hasDay = false;
    if (this.#replaced.size > 0) this.#replaced.clear();
    const { id } = journey.attributes;
    if (id !== undefined && this.#run.isRepeatedId) this.#reportRepetition(journey, id);
  }

  noteServiceJourney(reference: OpenElement): void {
    if (reference.depth === this.#depth + 1) this.#serviceJourneys++;
  }

  noteDay(reference: OpenElement): void {
    if (reference.depth === this.#depth + 1) this.#hasDay = true;
  }

  /** Directly in the journey, or in its replacedJourneys in newer versions of the schema. */
  checkReplaced(reference: OpenElement): void {
    const holder = reference.parent?.name === 'replacedJourneys' ? reference.parent.parent : reference.parent;
    const { ref } = reference.attributes;
    if (this.#depth === 0 || holder?.depth !== this.#depth || ref === undefined) return;
    if (!this.#replaced.has(ref)) this.#replaced.add(ref);
    else {
      this.#run.report(
        DATED_SERVICE_JOURNEY_5,
        reference,
        () => `DatedServiceJourney${idOf(holder)} replaces ${ref} more than once; expected one reference to it.`,
      );
    }
  }

  close(journey: OpenElement): void {
    if (journey.depth !== this.#depth) return;
    this.#depth = 0;
    const run = this.#run;
    const count = this.#serviceJourneys;
    if (!this.#hasDay) {
      run.report(
        DATED_SERVICE_JOURNEY_1,
        journey,
        () => `DatedServiceJourney${idOf(journey)} has no OperatingDayRef; expected one.`,
      );
    }
    if (count === 0) {
      run.report(
        DATED_SERVICE_JOURNEY_2,
        journey,
        () => `DatedServiceJourney${idOf(journey)} has no ServiceJourneyRef; expected one.`,
      );
    } else if (count > 1) {
      run.report(
        DATED_SERVICE_JOURNEY_3,
        journey,
        () => `DatedServiceJourney${idOf(journey)} has ${count} references to a ServiceJourney; expected one.`,
      );
    }
  }

  #reportRepetition(journey: OpenElement, id: string): void {
    this.#run.report(
      DATED_SERVICE_JOURNEY_4,
      journey,
      () =>
        `DatedServiceJourney ${id} is in the file more than once, here as version ` +
        `${journey.attributes.version ?? '(none)'}; expected one version of it.`,
    );
  }
}

const datedJourneysAreWhole: Check = {
  rules: [
    DATED_SERVICE_JOURNEY_1,
    DATED_SERVICE_JOURNEY_2,
    DATED_SERVICE_JOURNEY_3,
    DATED_SERVICE_JOURNEY_4,
    DATED_SERVICE_JOURNEY_5,
  ],
  begin(run) {
    const watch = new DatedJourneyWatch(run);
    const checkReplaced = (reference: OpenElement): void => watch.checkReplaced(reference);
    return {
      start: {
        DatedServiceJourney: (journey) => watch.open(journey),
        ServiceJourneyRef: (reference) => watch.noteServiceJourney(reference),
        OperatingDayRef: (reference) => watch.noteDay(reference),
        DatedServiceJourneyRef: checkReplaced,
        DatedVehicleJourneyRef: checkReplaced,
      },
      end: { DatedServiceJourney: (journey) => watch.close(journey) },
    };
  },
};

export const datedServiceJourneyChecks: readonly Check[] = [datedJourneysAreWhole];
