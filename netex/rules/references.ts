/**
 * References: NETEX_ID_5, STOP_REGISTER_1 and STOP_PLACE_REF_SE_1 (does the target exist), NETEX_ID_6 and NETEX_ID_7
 * (does the value fit).
 *
 * A reference is resolved in this order. First an element of the file with that id and version, then a stop of a
 * SiteFrame of the file with that id resolves it. Then another common file with that id does, and last the stop
 * register, for ids with its prefix. Each pair of id and version counts once per file.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { keptText } from '../xml/kept-text.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check, RuleRun } from './check.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import { isOfReferredKind, isWellFormedReference, isWithin } from './reference-kinds.ts';
import { defineRule, defineSemanticRule } from './rule.ts';

export const NETEX_ID_5 = defineRule({
  code: 'NETEX_ID_5',
  severity: 'ERROR',
  name: 'NeTEx ID unresolved reference',
  meaning: 'Reference resolves neither in the file (id and version), nor in a common file (id), nor in a register',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<RouteRef ref="ABC:Route:9" version="1"/> where no file has Route ABC:Route:9',
  mend: 'Define the element in the same file or in a common file, or correct id or version of the reference.',
});

export const STOP_REGISTER_1 = defineRule({
  code: 'STOP_REGISTER_1',
  severity: 'WARNING',
  name: 'Stop unknown in the stop register',
  meaning: 'Reference into the national stop register to an id that it does not have',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<QuayRef ref="NSR:Quay:999999999"/>',
  mend: 'Look the stop up in the register and use its present id, or have the stop registered.',
});

export const STOP_PLACE_REF_SE_1 = defineSemanticRule({
  code: 'STOP_PLACE_REF_SE_1',
  severity: 'ERROR',
  name: 'SE/Missing reference to stop place or quay',
  meaning: 'Reference to a stop place or quay that neither a SiteFrame of the dataset nor the stop register has',
  profiles: ['sweden'],
  example: '<QuayRef ref="SE:050:Quay:9"/> where no SiteFrame of the dataset has that quay',
  mend: 'Define the stop in a SiteFrame of the dataset, or correct its id.',
});

export const NETEX_ID_6 = defineRule({
  code: 'NETEX_ID_6',
  severity: 'ERROR',
  name: 'NeTEx ID reference to invalid element',
  meaning: 'Reference element points to an id of another type than its name allows',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<LineRef ref="ABC:Route:1" version="1"/>',
  mend: 'Refer to an element of the kind that the reference is named for.',
});

export const NETEX_ID_7 = defineRule({
  code: 'NETEX_ID_7',
  severity: 'ERROR',
  name: 'NeTEx ID invalid value',
  meaning: 'Reference value is not of the form CCC:Type:local',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<DirectionRef ref="ABC:Direction:"/>',
  mend: 'Write the whole id of the element, three parts with colons between them.',
});

const referenceFits: Check = {
  rules: [NETEX_ID_6, NETEX_ID_7],
  begin(run) {
    return {
      reference(element, ref) {
        if (!isWellFormedReference(ref)) {
          run.report(
            NETEX_ID_7,
            element,
            () =>
              `${element.name} has the value "${ref}"; expected an id of the form ${run.context.xmlns}:Type:local-part.`,
          );
        } else if (!isOfReferredKind(element.name, ref)) {
          run.report(
            NETEX_ID_6,
            element,
            () =>
              `${element.name} refers to ${ref}, an id of the kind ${ref.split(':')[1]}; expected one of a kind that a ${element.name} names.`,
          );
        }
      },
    };
  },
};

interface WaitingReference extends NotedPlace {
  readonly high: number;
  readonly low: number;
  readonly element: string;
  readonly ref: string;
  readonly version: string | undefined;
}

class ReferenceResolver {
  readonly #run: RuleRun;
  readonly #waiting: WaitingReference[] = [];
  /** Pairs already waiting, so that each waits once. */
  readonly #known = new HashSet();

  constructor(run: RuleRun) {
    this.#run = run;
  }

  take(element: OpenElement, ref: string): void {
    const { hasher, versionedIds } = this.#run;
    const { version } = element.attributes;
    hasher.hash(ref);
    hasher.extend(version);
    const { high, low } = hasher;
    if (versionedIds.has(high, low) || this.#known.has(high, low)) return;
    if (this.#run.isInOtherCommonFile(ref) || this.#run.stopRegister?.has(ref) || isExempt(element, ref)) return;
    this.#known.add(high, low);
    this.#waiting.push({ ...notePlace(element), high, low, element: element.name, ref: keptText(ref), version });
  }

  finish(): void {
    const { stopRegister, context } = this.#run;
    const registerPrefix = `${context.stopRegisterXmlns}:`;
    let registerMissed = false;
    for (const waiting of this.#waiting) {
      const { ref } = waiting;
      if (this.#run.versionedIds.has(waiting.high, waiting.low) || this.#run.hasSiteFrameId(ref)) continue;
      if (!ref.startsWith(registerPrefix)) this.#report(waiting);
      else if (stopRegister) this.#run.report(STOP_REGISTER_1, waiting, () => unknownInRegister(waiting));
      else if (!registerMissed) {
        registerMissed = true;
        this.#run.report(STOP_REGISTER_1, waiting, () => NO_REGISTER);
      }
    }
  }

  #report(waiting: WaitingReference): void {
    const { element, ref, version } = waiting;
    if (this.#run.context.profile === 'sweden' && STOP_ID.test(ref)) {
      this.#run.report(STOP_PLACE_REF_SE_1, waiting, () => unknownStop(waiting));
      return;
    }
    const otherVersion = this.#run.hasId(ref);
    this.#run.report(NETEX_ID_5, waiting, () =>
      otherVersion
        ? `${element} refers to ${ref} ${asked(version)}, but this file has it ${version === undefined ? 'with one' : 'with another or none'}; expected the same version at both.`
        : `${element} refers to ${ref} ${asked(version)}, which is neither in this file nor in a common file; expected an element with that id.`,
    );
  }
}

function asked(version: string | undefined): string {
  return version === undefined ? 'without a version' : `in version "${version}"`;
}

const NO_REGISTER =
  'No stop register has been imported yet, so references to its stops could not be checked; expected a register to compare with.';

/** In the Swedish profile, datasets bring their own stops; a missing stop has a code of its own. */
const STOP_ID = /:(?:StopPlace|Quay):/;

function unknownStop({ element, ref }: WaitingReference): string {
  return `${element} refers to ${ref}, which no SiteFrame of the dataset has; expected a stop place or quay that is defined.`;
}

function unknownInRegister({ element, ref }: WaitingReference): string {
  return `${element} refers to ${ref}, which the stop register does not have; expected the id of a registered stop.`;
}

/** References that may leave the dataset: to journeys in other line files, and to the register of train elements. */
function isExempt(element: OpenElement, ref: string): boolean {
  switch (element.name) {
    case 'JourneyRef':
    case 'VehicleJourneyRef':
    case 'ServiceJourneyRef':
    case 'DeadRunRef':
      return (ref.includes('DeadRun') || ref.includes('ServiceJourney')) && isWithin(element, 'Block');
    case 'FromPointRef':
      return ref.includes('ScheduledStopPoint');
    case 'FromJourneyRef':
      return ref.includes('ServiceJourney');
    case 'LineRef':
      return isWithin(element, 'InterchangeRule');
    default:
      return ref.startsWith('PEN:TrainElement:');
  }
}

const referenceResolves: Check = {
  rules: [NETEX_ID_5, STOP_REGISTER_1, STOP_PLACE_REF_SE_1],
  begin(run) {
    const resolver = new ReferenceResolver(run);
    return {
      reference: (element, ref) => resolver.take(element, ref),
      finish: () => resolver.finish(),
    };
  },
};

export const referenceChecks: readonly Check[] = [referenceFits, referenceResolves];
