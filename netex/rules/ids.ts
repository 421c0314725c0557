/**
 * The form of ids and the use of prefixes: NETEX_ID_2, NETEX_ID_3, NETEX_ID_4, NETEX_ID_4W. Not for the stop
 * register: its exports hold parts with plain numbers as ids, and zones and places of every codespace.
 */
import { HashSet } from '../dataset/hash-set.ts';
import type { OpenElement } from '../xml/scan.ts';
import type { Check, RuleRun } from './check.ts';
import { defineRule } from './rule.ts';

const FORM = /^([A-Z]{3}):([A-Za-z]+):([0-9A-Za-z_-]+)$/;
/** Kinds of element for which a foreign prefix is only a warning: operators keep the id of their first employer. */
const LENIENT_KINDS: ReadonlySet<string> = new Set(['Operator']);

export const NETEX_ID_2 = defineRule({
  code: 'NETEX_ID_2',
  severity: 'ERROR',
  name: 'NeTEx ID invalid structure',
  meaning: 'Id not of the form CCC:Type:local (3 capitals, letters, [0-9A-Za-z_-])',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<Line id="line 1" version="1">',
  mend: 'Write the id as codespace, element name and a local part of letters, digits, _ and -, e.g. ABC:Line:1.',
});

export const NETEX_ID_3 = defineRule({
  code: 'NETEX_ID_3',
  severity: 'ERROR',
  name: 'NeTEx ID invalid element name inside structure',
  meaning: 'Type part of the id differs from the element name',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<Line id="ABC:Route:1" version="1">',
  mend: 'Let the middle part of the id be the name of the element that carries it.',
});

export const NETEX_ID_4 = defineRule({
  code: 'NETEX_ID_4',
  severity: 'ERROR',
  name: 'NeTEx ID with unapproved codespace',
  meaning: 'Id uses a codespace the provider may not use',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<Line id="XYZ:Line:1" version="1"> in a dataset of codespace ABC',
  mend: 'Use your own prefix for your own elements, or have the foreign prefix allowed for your codespace.',
});

export const NETEX_ID_4W = defineRule({
  code: 'NETEX_ID_4W',
  severity: 'WARNING',
  name: 'NeTEx ID with unapproved codespace on operator',
  meaning: 'An Operator has an id of a codespace the provider may not use',
  stage: '2-ids',
  datasets: ['timetable'],
  example: '<Operator id="XYZ:Operator:1" version="1"> in a dataset of codespace ABC',
  mend: 'Use your own prefix for the operator, or have the foreign prefix allowed for your codespace.',
});

/** Each id counts once, as does each version of it. */
const idIsWellFormed: Check = {
  rules: [NETEX_ID_2, NETEX_ID_3, NETEX_ID_4, NETEX_ID_4W],
  begin(run) {
    const { xmlns, allowedXmlns } = run.context;
    const allowed = [xmlns, ...allowedXmlns.filter((prefix) => prefix !== xmlns)];
    const seen = new HashSet();
    return {
      identified(element, id) {
        run.hasher.hash(id);
        run.hasher.extend(element.attributes.version);
        if (!seen.add(run.hasher.high, run.hasher.low)) return;
        const form = FORM.exec(id);
        if (form) checkParts(run, element, id, form, allowed);
        else {
          run.report(
            NETEX_ID_2,
            element,
            () => `${element.name} has the id "${id}"; expected the form ${xmlns}:${element.name}:local-part.`,
          );
        }
      },
    };
  },
};

function checkParts(
  run: RuleRun,
  element: OpenElement,
  id: string,
  [, prefix = '', type, local]: RegExpExecArray,
  allowed: readonly string[],
): void {
  if (type !== element.name) {
    run.report(
      NETEX_ID_3,
      element,
      () => `${element.name} has the id ${id}, which names a ${type}; expected ${prefix}:${element.name}:${local}.`,
    );
  }
  if (!allowed.includes(prefix)) {
    run.report(
      LENIENT_KINDS.has(element.name) ? NETEX_ID_4W : NETEX_ID_4,
      element,
      () => `${element.name} ${id} uses the codespace ${prefix}; expected one of ${allowed.join(', ')}.`,
    );
  }
}

export const idChecks: readonly Check[] = [idIsWellFormed];
