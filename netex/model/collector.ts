/**
 * Collects the timetable of a file in the single pass over it and joins it at the end.
 *
 * Callers: FileRun, when a model check applies to the file. Frames and their elements may come in any order.
 */
import type { Subscriptions } from '../rules/check.ts';
import { EventCollector } from './event-collector.ts';
import { factReaders } from './fact-readers.ts';
import { TimetableFacts } from './facts.ts';
import { FactsBuilder } from './facts-builder.ts';
import { FileModel } from './file-model.ts';
import { joinJourneys, joinToPattern } from './join-journeys.ts';
import { JourneyCollector } from './journey-collector.ts';
import { KeptNames, NumberedNames } from './kept-names.ts';
import { NetworkCollector } from './network-collector.ts';
import type { TimetableModel } from './timetable-model.ts';

export class ModelCollector {
  readonly #facts = new FactsBuilder();
  readonly #stopNames = new NumberedNames();
  readonly #network: NetworkCollector;
  readonly #journeys: JourneyCollector;
  readonly #events: EventCollector;

  constructor() {
    const names = new KeptNames();
    this.#network = new NetworkCollector(names);
    this.#journeys = new JourneyCollector(names, this.#stopNames);
    this.#events = new EventCollector(names);
  }

  /** The elements that it subscribes to. */
  subscriptions(): Subscriptions[] {
    return [
      ...this.#journeys.handlers,
      ...this.#network.handlers,
      ...this.#events.handlers,
      ...factReaders(this.#facts),
    ];
  }

  /** Call after the last element. `common`: facts of the common files. */
  build(common: TimetableFacts | undefined): TimetableModel {
    const { patterns, patternsById } = this.#network;
    const { serviceJourneys, deadRuns, passingTimes } = this.#journeys;
    joinJourneys(serviceJourneys, passingTimes, patterns, patternsById, this.#stopNames);
    for (const run of deadRuns) joinToPattern(run, patternsById);
    const own = TimetableFacts.open(this.#facts.build());
    return new FileModel({
      network: this.#network,
      journeys: this.#journeys,
      events: this.#events,
      facts: common ? [own, common] : [own],
      serviceLinks: own.placedServiceLinks(),
    });
  }
}
