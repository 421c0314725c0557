/**
 * Collects lines, routes and journey patterns of a file during the scan.
 *
 * Callers: `ModelCollector`. Keeps copies only; an element is valid only while it is open.
 */
import type { ElementHandler } from '../rules/check.ts';
import type { OpenElement } from '../xml/scan.ts';
import { ById } from './by-id.ts';
import type { Handlers } from './handlers.ts';
import type { KeptNames } from './kept-names.ts';
import { modelElement, type Writable } from './model-element.ts';
import { serviceLinkHandlers, sortByOrder, stopPointHandlers } from './pattern-handlers.ts';
import { submodeHandlers } from './submodes.ts';
import type {
  JourneyPattern,
  Line,
  ModelElement,
  ServiceLinkInJourneyPattern,
  StopPointInJourneyPattern,
} from './timetable-model.ts';

interface Route extends ModelElement {
  readonly lineRef: string | undefined;
}

export class NetworkCollector {
  readonly lines: Line[] = [];
  readonly linesById = new ById<Line>();
  readonly routesById = new ById<Route>();
  readonly patterns: JourneyPattern[] = [];
  readonly patternsById = new ById<JourneyPattern>();
  readonly handlers: readonly Handlers[];
  readonly #names: KeptNames;

  constructor(names: KeptNames) {
    this.#names = names;
    this.handlers = [this.#lineHandlers(), this.#routeHandlers(), ...this.#patternHandlers()];
  }

  #lineHandlers(): Handlers {
    const names = this.#names;
    let line: Writable<Line> | undefined;
    const begin: ElementHandler = (element) => {
      line = {
        ...modelElement(element, names),
        name: undefined,
        transportMode: undefined,
        transportSubmode: undefined,
      };
      this.lines.push(line);
      this.linesById.add(line, names.keep(element.attributes.version));
    };
    const finish: ElementHandler = () => {
      line = undefined;
    };
    const text =
      (field: 'name' | 'transportMode'): ElementHandler =>
      (element) => {
        if (line && isLine(element.parent)) line[field] = names.keep(element.text.trim());
      };
    return {
      start: {
        Line: begin,
        FlexibleLine: begin,
      },
      end: {
        Name: text('name'),
        TransportMode: text('transportMode'),
        ...submodeHandlers((element) => {
          if (line && isLine(element.parent?.parent)) line.transportSubmode = names.keep(element.text.trim());
        }),
        Line: finish,
        FlexibleLine: finish,
      },
    };
  }

  #routeHandlers(): Handlers {
    const names = this.#names;
    let route: Writable<Route> | undefined;
    const refersToLine: ElementHandler = (element) => {
      if (route && element.parent?.name === 'Route') route.lineRef = names.keep(element.attributes.ref);
    };
    return {
      start: {
        Route: (element) => {
          route = { ...modelElement(element, names), lineRef: undefined };
          this.routesById.add(route, names.keep(element.attributes.version));
        },
        LineRef: refersToLine,
        FlexibleLineRef: refersToLine,
      },
      end: {
        Route() {
          route = undefined;
        },
      },
    };
  }

  #patternHandlers(): Handlers[] {
    const names = this.#names;
    let pattern: Writable<JourneyPattern> | undefined;
    let stops: Writable<StopPointInJourneyPattern>[] = [];
    let links: Writable<ServiceLinkInJourneyPattern>[] = [];
    const begin: ElementHandler = (element) => {
      stops = [];
      links = [];
      pattern = {
        ...modelElement(element, names),
        kind: element.name === 'ServiceJourneyPattern' ? 'ServiceJourneyPattern' : 'JourneyPattern',
        routeRef: undefined,
        stops,
        links,
      };
      this.patterns.push(pattern);
      this.patternsById.add(pattern, names.keep(element.attributes.version));
    };
    const finish: ElementHandler = () => {
      sortByOrder(stops);
      sortByOrder(links);
      pattern = undefined;
    };
    const ofPattern: Handlers = {
      start: {
        JourneyPattern: begin,
        ServiceJourneyPattern: begin,
        RouteRef(element) {
          if (pattern && isPattern(element.parent)) pattern.routeRef = names.keep(element.attributes.ref);
        },
      },
      end: { JourneyPattern: finish, ServiceJourneyPattern: finish },
    };
    return [
      ofPattern,
      stopPointHandlers(names, () => (pattern ? stops : undefined)),
      serviceLinkHandlers(names, () => (pattern ? links : undefined)),
    ];
  }
}

function isLine(element: OpenElement | undefined): boolean {
  return element?.name === 'Line' || element?.name === 'FlexibleLine';
}

function isPattern(element: OpenElement | undefined): boolean {
  return element?.name === 'JourneyPattern' || element?.name === 'ServiceJourneyPattern';
}
