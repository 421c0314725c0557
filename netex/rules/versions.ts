/** Versions of elements and of references: VERSION_NON_NUMERIC, NETEX_ID_8, NETEX_ID_9. */
import { HashSet } from '../dataset/hash-set.ts';
import { keptText } from '../xml/kept-text.ts';
import type { Check } from './check.ts';
import { type NotedPlace, notePlace } from './finding-list.ts';
import { defineRule } from './rule.ts';

/** The texts that XPath's number() accepts. */
const NUMBER = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$/;

export const VERSION_NON_NUMERIC = defineRule({
  code: 'VERSION_NON_NUMERIC',
  severity: 'WARNING',
  name: 'Non-numeric NeTEx version',
  meaning: 'A version attribute is neither "any" nor a number',
  stage: '2-structure',
  example: '<Line id="ABC:Line:1" version="2026-01-31">',
  mend: 'Number the versions (1, 2, 3 …), or write "any" where versions are not kept.',
});

export const NETEX_ID_8 = defineRule({
  code: 'NETEX_ID_8',
  severity: 'ERROR',
  name: 'NeTEx ID missing version on elements',
  meaning: 'Element with id lacks version',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<Line id="ABC:Line:1">',
  mend: 'Add version="1" (or its true version) to the element.',
});

export const NETEX_ID_9 = defineRule({
  code: 'NETEX_ID_9',
  severity: 'ERROR',
  name: 'NeTEx ID missing version on reference',
  meaning: 'A reference without version names an element that the same file defines',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<LineRef ref="ABC:Line:1"/> in the file that defines ABC:Line:1',
  mend: 'Write the version of the element on the reference; a reference to an element of another file may go without.',
});

const versionIsNumber: Check = {
  rules: [VERSION_NON_NUMERIC],
  begin(run) {
    const verdicts = new Map<string, boolean>();
    const isFit = (version: string): boolean => {
      let fit = verdicts.get(version);
      if (fit === undefined) {
        fit = version === 'any' || NUMBER.test(version);
        if (verdicts.size < 1000) verdicts.set(version, fit);
      }
      return fit;
    };
    return {
      versioned(element, version) {
        // The root's version names the profile, e.g. 1.15:NO-NeTEx-networktimetable:1.5.
        if (element.depth === 1 || isFit(version)) return;
        run.report(
          VERSION_NON_NUMERIC,
          element,
          () => `${element.name} has version "${version}"; expected a number or "any".`,
        );
      },
    };
  },
};

const elementHasVersion: Check = {
  rules: [NETEX_ID_8],
  begin(run) {
    const reported = new HashSet();
    return {
      identified(element, id) {
        if (element.attributes.version !== undefined) return;
        run.hasher.hash(id);
        if (!reported.add(run.hasher.high, run.hasher.low)) return;
        run.report(
          NETEX_ID_8,
          element,
          () => `${element.name} ${id} has no version; expected a version beside its id.`,
        );
      },
    };
  },
};

interface VersionlessReference extends NotedPlace {
  readonly high: number;
  readonly low: number;
  readonly element: string;
  readonly ref: string;
}

/** Elements may come after references to them: unresolved references wait for the end of the file. */
const referenceHasVersion: Check = {
  rules: [NETEX_ID_9],
  begin(run) {
    const waiting: VersionlessReference[] = [];
    const registerPrefix = `${run.context.stopRegisterXmlns}:`;
    const report = (element: string, ref: string): string =>
      `${element} refers to ${ref} of this same file without its version; expected the version of that element.`;
    return {
      reference(element, ref) {
        if (element.attributes.version !== undefined || ref.startsWith(registerPrefix)) return;
        const { hasher } = run;
        hasher.hash(ref);
        if (run.ids.has(hasher.high, hasher.low)) {
          run.report(NETEX_ID_9, element, () => report(element.name, ref));
        } else if (!run.isInOtherCommonFile(ref)) {
          waiting.push({
            ...notePlace(element),
            high: hasher.high,
            low: hasher.low,
            element: element.name,
            ref: keptText(ref),
          });
        }
      },
      finish() {
        for (const reference of waiting) {
          if (!run.ids.has(reference.high, reference.low)) continue;
          run.report(NETEX_ID_9, reference, () => report(reference.element, reference.ref));
        }
      },
    };
  },
};

export const versionChecks: readonly Check[] = [versionIsNumber, elementHasVersion, referenceHasVersion];
