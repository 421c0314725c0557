/** The events that the document of the events area promises, by topic, and whether events are as it says. */

import { loadDocument } from '../../api/shared/openapi-document.ts';
import { type Json, resolve, toJson } from '../../api/shared/openapi-reference.ts';
import { type Check, SchemaChecks } from '../../api/shared/schema-check.ts';

const DOCUMENT = new URL('../../api/events/openapi.yaml', import.meta.url);
const EVENT_CONTENT = 'application/cloudevents+json';
const ENVIRONMENT = /-(dev|staging|production)$/;
const TYPE = /\.(\w+)\.v1$/;

interface DocumentedTopic {
  /** Without prefix and version. */
  readonly types: readonly string[];
  readonly check: Check;
}

export class DocumentedEvents {
  readonly #topics: ReadonlyMap<string, DocumentedTopic>;

  constructor() {
    // Readers take further members; here each must be documented.
    const root = withClosedData(loadDocument(DOCUMENT, 'Service').root);
    const checks = new SchemaChecks('events', root);
    const webhooks = Object.entries(toJson(root.webhooks, 'webhooks'));
    this.#topics = new Map(
      webhooks.map(([topic, webhook]) => {
        const [schema, pointer] = resolve(root, eventSchema(toJson(webhook, topic)), topic);
        return [topic, { types: typesOf(schema), check: checks.compile(pointer) }];
      }),
    );
  }

  get topics(): readonly string[] {
    return [...this.#topics.keys()];
  }

  typesOf(topic: string): readonly string[] {
    return this.#topics.get(topic)?.types ?? [];
  }

  /** What is wrong with events of a topic, as the feed serves them. `topic` may end with an environment. */
  faultsOf(topic: string, events: readonly unknown[]): readonly string[] {
    const documented = this.#topics.get(topic.replace(ENVIRONMENT, ''));
    if (documented === undefined) return [`${topic} is not documented`];
    return events.flatMap((event) => {
      const faults = documented.check(event);
      return faults.length === 0 ? [] : [`${JSON.stringify(event)} has ${JSON.stringify(faults.slice(0, 5))}`];
    });
  }
}

/** The schemas of single types let no member of `data` pass that they do not name. */
function withClosedData(root: Json): Json {
  const components = toJson(root.components, 'components');
  const schemas = Object.entries(toJson(components.schemas, 'schemas')).map(([name, schema]) => {
    const { oneOf, ...rest } = toJson(schema, name);
    return [name, Array.isArray(oneOf) ? { ...rest, oneOf: oneOf.map(closed) } : schema];
  });
  return { ...root, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

function closed(type: Json): Json {
  const properties = toJson(type.properties, 'properties');
  const data = { ...toJson(properties.data, 'data'), additionalProperties: false };
  return { ...type, properties: { ...properties, data } };
}

function eventSchema(webhook: Json): unknown {
  const body = toJson(toJson(webhook.post, 'post').requestBody, 'requestBody');
  return toJson(toJson(body.content, 'content')[EVENT_CONTENT], EVENT_CONTENT).schema;
}

function typesOf({ oneOf }: Json): readonly string[] {
  const groups = oneOf as readonly { readonly properties: { readonly type: { readonly enum: readonly string[] } } }[];
  return groups.flatMap(({ properties }) => properties.type.enum.map((type) => TYPE.exec(type)?.[1] ?? type));
}
