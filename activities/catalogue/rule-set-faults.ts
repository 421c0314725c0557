/** Faults of refund and change rules: at each moment one rule of a set holds at most. Pure; called by catalogue-faults.ts. */
import { nominalSeconds, parseDuration } from '../../workflows/shared/duration.ts';
import type { RuleWindow } from '../../workflows/shared/fares.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { amountFaults, duplicates, type Faults, fault, faultsOfEach } from './fault-items.ts';
import { DEFAULT_CURRENCY, type GivenCatalogue, type GivenRuleSet } from './given-catalogue.ts';

interface Rule extends RuleWindow {
  readonly id: string;
  readonly feeAmount: string;
}

/** In seconds before departure; it begins at `from`, which is the larger. */
interface Window {
  readonly id: string;
  readonly at: number;
  readonly from: number;
  readonly until: number;
}

export function* ruleSetFaults({ refundRuleSets = [], changeRuleSets = [] }: GivenCatalogue): Faults {
  yield* setsFaults(refundRuleSets, '/refundRuleSets');
  yield* setsFaults(changeRuleSets, '/changeRuleSets');
}

function* setsFaults(sets: readonly GivenRuleSet<Rule>[], pointer: string): Faults {
  yield* duplicates(sets, ({ id }) => id, pointer, 'id');
  yield* faultsOfEach(sets, ({ rules, currency = DEFAULT_CURRENCY }, at) =>
    rulesFaults(rules, currency, `${pointer}/${at}/rules`),
  );
}

function rulesFaults(rules: readonly Rule[], currency: string, pointer: string): readonly ErrorItem[] {
  const windows = rules.map(windowOf);
  const valid = windows.filter(({ from, until }) => from > until);
  return [
    ...duplicates(rules, ({ id }) => id, pointer, 'id'),
    ...rules.flatMap(({ feeAmount }, at) => amountFaults(feeAmount, currency, `${pointer}/${at}/feeAmount`)),
    ...windows
      .filter(({ from, until }) => from <= until)
      .map(({ at }) => fault(`${pointer}/${at}/untilBefore`, 'RANGE', 'the window ends before it begins')),
    ...valid.flatMap((window, index) => overlapOf(window, valid.slice(0, index), pointer)),
  ];
}

function windowOf({ id, fromBefore, untilBefore }: Rule, at: number): Window {
  return {
    id,
    at,
    from: fromBefore === undefined ? Number.POSITIVE_INFINITY : secondsOf(fromBefore),
    until: secondsOf(untilBefore),
  };
}

/** The schema has accepted the text. */
function secondsOf(text: string): number {
  return nominalSeconds(parseDuration(text) ?? { days: 0, seconds: 0 });
}

/** The first alone: one item for each pair would be thousands for each set. */
function overlapOf(window: Window, earlier: readonly Window[], pointer: string): readonly ErrorItem[] {
  const other = earlier.find(({ from, until }) => window.until < from && until < window.from);
  return other ? [fault(`${pointer}/${window.at}`, 'OVERLAP', `${window.id} holds at times of ${other.id}`)] : [];
}
