/**
 * `npm run reset`: deletes what `npm start` stored in `.local/`. Refuses while it runs. Never touches servers of the
 * user's own.
 */
import { endLeftovers } from './stack/leftovers.ts';
import { LocalState } from './stack/local-state.ts';

const state = new LocalState();
// Taking the place of the running stack keeps one from starting meanwhile; the folder goes, and the place with it.
const owner = state.take();
if (owner === undefined) {
  await endLeftovers(state);
  state.remove('.');
  console.log('Everything that npm start stored here is deleted. The next npm start makes new demo data.');
} else {
  console.error(`Samferd runs from this folder (process ${owner.pid}): stop it first, then reset.`);
  process.exitCode = 1;
}
