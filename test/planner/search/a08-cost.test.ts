/** A08: cheaper journeys within the bound, costs of waiting and walking, and cancellation of a search. */
import assert from 'node:assert/strict';
import { createSearchEngine, SearchCancelled } from '../../../planner/search/search-engine.ts';
import { createNetwork } from '../support/network.ts';
import { journeys, request, search } from './search.ts';

describe('A08 cost', () => {
  const network = createNetwork();
  network.stops('A 59.0 10.0', 'B 59.3 10.0', 'C 59.6 10.0', 'D 59.9 10.0');
  network.line('1', ['A 08:00 - B 08:10']).line('2', ['B 08:15 - D 08:20', 'C 08:15 - D 08:21']);
  network.line('3', ['A 08:00 - C 08:05']).transfer('B', 'B', 0).transfer('C', 'B', 0, 400);
  network.line('4', ['A 08:00 - D 08:25']);
  const at = '2026-11-23 08:00';

  it('keeps a later and cheaper journey only within the bound', () => {
    assert.deepEqual(search(network, 'A', 'D', at, { maximumRides: 2, boardCost: 0 }), [
      '1-1 A 08:00 B 08:10, 2-1 B 08:15 D 08:20',
      '4-1 A 08:00 D 08:25',
    ]);
    const costs = journeys(network, request(network, 'A', 'D', at)).map(({ cost }) => cost);
    assert.deepEqual(costs, [20 * 6000 + 2 * 60_000, 25 * 6000 + 60_000]);
  });

  it('includes waiting by its reluctance', () => {
    const waits = request(network, 'A', 'D', at, { waitReluctance: 300, maximumRides: 2 });
    assert.equal(journeys(network, waits)[0]?.cost, 15 * 6000 + 5 * 60 * 300 + 2 * 60_000);
  });

  it('leaves the engine usable after a cancelled search', () => {
    const engine = createSearchEngine(network.open());
    const searchRequest = request(network, 'A', 'D', at);
    assert.throws(() => engine.search(searchRequest, () => true), SearchCancelled);
    assert.deepEqual(engine.search(searchRequest).journeys, journeys(network, searchRequest));
  });
});
