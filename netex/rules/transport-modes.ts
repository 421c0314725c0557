/** Transport modes and submodes of lines and journeys: TRANSPORT_MODE_ON_…, TRANSPORT_SUB_MODE_ON_…. */
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { idOf } from './children.ts';
import { isSubmode, SUBMODES, submodesIn, TRANSPORT_MODES } from './profile-values.ts';
import { lineFileRule, type Rule } from './rule.ts';

const BAD_MODE = '<TransportMode>lift</TransportMode>';
const BAD_SUBMODE = '<TransportSubmode><RailSubmode>suburbanRailway</RailSubmode></TransportSubmode>';
const USE_MODE = `Use one of ${[...TRANSPORT_MODES].join(', ')}.`;
const SUBMODE_LISTS = Object.entries(SUBMODES).filter(([, submodes]) => submodes.length > 0);
const USE_SUBMODE = `Use the one that comes closest. ${SUBMODE_LISTS.map(([mode, of]) => `${mode}: ${of.join(', ')}`).join('; ')}; any mode: unknown.`;

export const TRANSPORT_MODE_ON_LINE = lineFileRule(
  'TRANSPORT_MODE_ON_LINE',
  'ERROR',
  'Line Illegal TransportMode',
  'Line mode outside the profile list',
  `<Line …>${BAD_MODE}`,
  USE_MODE,
);
export const TRANSPORT_SUB_MODE_ON_LINE = lineFileRule(
  'TRANSPORT_SUB_MODE_ON_LINE',
  'ERROR',
  'Line Illegal TransportSubMode',
  'Line submode outside the profile list',
  `<Line …>${BAD_SUBMODE}`,
  USE_SUBMODE,
);
export const TRANSPORT_MODE_ON_SERVICE_JOURNEY = lineFileRule(
  'TRANSPORT_MODE_ON_SERVICE_JOURNEY',
  'WARNING',
  'Service Journey Illegal TransportMode',
  'Journey mode outside the profile list',
  `<ServiceJourney …>${BAD_MODE}`,
  USE_MODE,
);
export const TRANSPORT_SUB_MODE_ON_SERVICE_JOURNEY = lineFileRule(
  'TRANSPORT_SUB_MODE_ON_SERVICE_JOURNEY',
  'WARNING',
  'Service Journey Illegal TransportSubMode',
  'Journey submode outside the profile list',
  `<ServiceJourney …>${BAD_SUBMODE}`,
  USE_SUBMODE,
);

interface ModeRules {
  readonly mode: Rule;
  readonly submode: Rule;
}
const ON_LINE: ModeRules = { mode: TRANSPORT_MODE_ON_LINE, submode: TRANSPORT_SUB_MODE_ON_LINE };
const ON_JOURNEY: ModeRules = {
  mode: TRANSPORT_MODE_ON_SERVICE_JOURNEY,
  submode: TRANSPORT_SUB_MODE_ON_SERVICE_JOURNEY,
};

const SUBMODE_ELEMENTS = [
  'Air',
  'Bus',
  'Coach',
  'Funicular',
  'Metro',
  'Rail',
  'SelfDrive',
  'SnowAndIce',
  'Taxi',
  'Telecabin',
  'Tram',
  'Water',
].map((mode) => `${mode}Submode`);

/** The rules for the owner of a mode or submode; undefined for other owners, such as stops. */
function rulesFor(holder: OpenElement | undefined): ModeRules | undefined {
  const around = holder?.parent?.name;
  if (holder?.name === 'ServiceJourney') return around === 'vehicleJourneys' ? ON_JOURNEY : undefined;
  if (holder?.name !== 'Line' && holder?.name !== 'FlexibleLine') return undefined;
  return around === 'lines' ? ON_LINE : undefined;
}

const modesOfProfile: Check = {
  rules: [ON_LINE.mode, ON_LINE.submode, ON_JOURNEY.mode, ON_JOURNEY.submode],
  begin(run) {
    let submodeElement = '';
    let submode = '';
    const noteSubmode = (element: OpenElement): void => {
      if (element.parent?.name !== 'TransportSubmode') return;
      submodeElement = element.name;
      submode = element.text.trim();
    };
    return {
      start: {
        TransportSubmode() {
          submodeElement = '';
          submode = '';
        },
      },
      end: {
        ...Object.fromEntries(SUBMODE_ELEMENTS.map((name) => [name, noteSubmode])),
        TransportMode(element) {
          const holder = element.parent;
          const mode = element.text.trim();
          const rules = TRANSPORT_MODES.has(mode) ? undefined : rulesFor(holder);
          if (!rules || !holder) return;
          run.report(
            rules.mode,
            element,
            () =>
              `${holder.name}${idOf(holder)} has the TransportMode "${mode}"; expected one of ${[...TRANSPORT_MODES].join(', ')}.`,
          );
        },
        TransportSubmode(element) {
          const holder = element.parent;
          const rules = isSubmode(submode) ? undefined : rulesFor(holder);
          if (!rules || !holder) return;
          run.report(rules.submode, element, () => {
            const expected = submodesIn(submodeElement);
            const list = expected.length > 0 ? `one of ${expected.join(', ')}` : 'one of the profile';
            return `${holder.name}${idOf(holder)} has the ${submodeElement || 'TransportSubmode'} "${submode}"; expected ${list}.`;
          });
        },
      },
    };
  },
};

export const transportModeChecks: readonly Check[] = [modesOfProfile];
