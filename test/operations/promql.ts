/** Finds the metrics and labels that a PromQL expression uses, with Prometheus' own grammar. */
import { parser } from '@prometheus-io/lezer-promql';

export interface Matcher {
  readonly label: string;
  readonly operator: string;
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface Expression {
  readonly selectors: readonly Selector[];
  /** The labels of `by`, `on` and similar clauses. */
  readonly grouping: readonly string[];
}

/** Throws where the grammar finds an error. */
export function readPromql(text: string): Expression {
  const tree = parser.parse(text);
  const grouping: string[] = [];
  const selectors: { metric: string; matchers: Matcher[] }[] = [];
  tree.iterate({
    enter: (node) => {
      const { name, from, to } = node;
      if (node.type.isError) throw new Error(`No PromQL at ${from}: ${text}`);
      const written = text.slice(from, to);
      if (name === 'VectorSelector') selectors.push({ metric: '', matchers: [] });
      const selector = selectors.at(-1);
      if (name === 'Identifier' && node.node.parent?.name === 'VectorSelector' && selector) selector.metric = written;
      if (name === 'UnquotedLabelMatcher') selector?.matchers.push(readMatcher(written));
      if (name === 'LabelName' && node.node.parent?.name === 'GroupingLabels') grouping.push(written);
    },
  });
  return { selectors, grouping };
}

function readMatcher(written: string): Matcher {
  const [, label = '', operator = '', value = ''] = /^(\w+)\s*(=~|!~|!=|=)\s*["'](.*)["']$/s.exec(written) ?? [];
  return { label, operator, value };
}
