/**
 * Makes random queries over a schema, for tests that compare executors. Most are valid; their values are partly of the
 * town (`network.ts`), partly unusual. All randomness comes from the given generator, so a seed reproduces a failure.
 */
import fc, { type GeneratorValue } from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from 'graphql';

export interface RandomQuery {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

const DEEPEST = 6;
const MOST_FIELDS = 60;
const ALIASES = ['a', 'b', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'length', 'data'];
const VARIABLES = ['v', 'w', 'x', 'y', '__proto__', 'constructor', 'valueOf'];
const IDS = [
  'NSR:Quay:11',
  'NSR:Quay:20',
  'NSR:Quay:40',
  'NSR:StopPlace:10',
  'NSR:StopPlace:20',
  'TST:Line:1',
  'TST:Line:3',
  'TST:ServiceJourney:1-8',
  'TST:ServiceJourney:2',
  'TST:JourneyPattern:1',
  'TST:DatedServiceJourney:9',
  'TST:Authority:1',
  'TST:Operator:1',
  'TST:GroupOfLines:1',
  'TST:TariffZone:1',
  'nothing',
  '',
];
/** JSON values by scalar; the last ones are invalid. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  Boolean: [true, false, 1],
  Int: [1, 2, 5, 0, -1, 20, 2_147_483_648, 1.5, '3'],
  Float: [59.9, 10.7, 1, -1, 1e300, 91, 'far'],
  ID: [...IDS, 7, 1.5],
  String: [...IDS, 'Market', 'ø €', 5],
  Long: [1, '2', 9_007_199_254_740_992, 'x'],
  Date: ['2026-11-23', '2026-11-24', '2026-02-30'],
  DateTime: ['2026-11-23T08:00:00+01:00', '2026-11-23T08:00:00', 'soon'],
  Time: ['08:00:00', 'late'],
  LocalTime: ['08:00', 8],
  Duration: ['PT1H', '20m', 600, 'P'],
  Cost: ['PT1M'],
  DoubleFunction: ['20m + 2.0 t', 3],
  Coordinates: [[[10.7, 59.9]], 'here'],
};

export function randomQueries(schema: GraphQLSchema): fc.Arbitrary<RandomQuery> {
  return fc.gen().map((g) => new Maker(schema, g).make());
}

class Maker {
  readonly #schema: GraphQLSchema;
  readonly #g: GeneratorValue;
  readonly #declared: string[] = [];
  readonly #variables: [string, unknown][] = [];
  readonly #fragments: string[] = [];
  #aliases = 0;
  #left = MOST_FIELDS;

  constructor(schema: GraphQLSchema, g: GeneratorValue) {
    this.#schema = schema;
    this.#g = g;
  }

  make(): RandomQuery {
    const selection = this.#selection(this.#schema.getQueryType() as GraphQLObjectType, 1);
    const declared = this.#declared.length > 0 ? `(${this.#declared.join(' ')})` : '';
    // As with `JSON.parse`, a member named `__proto__` is an ordinary one.
    return {
      query: [`query ${declared}${selection}`, ...this.#fragments].join(' '),
      variables: Object.fromEntries(this.#variables),
    };
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    const parts = this.#times(1, depth === 1 ? 3 : 5).map(() => this.#part(type, depth));
    return `{ ${parts.join(' ')} }`;
  }

  #part(type: GraphQLNamedType, depth: number): string {
    if (this.#oneIn(12)) return `${this.#alias('__typename')}${this.#directive()}`;
    if (this.#oneIn(8)) return this.#fragment(type, depth);
    if (!isObjectType(type) && !isInterfaceType(type)) return this.#fragment(type, depth);
    const fields = Object.values(type.getFields()).filter(
      (field) => (depth < DEEPEST && this.#left > 0) || !isCompositeType(getNamedType(field.type)),
    );
    return fields.length > 0 ? this.#field(this.#of(fields), depth) : '__typename';
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    this.#left -= 1;
    const given = this.#arguments(field.args);
    // Fields of one name must not conflict, so a field with arguments gets an alias.
    const name = given === '' ? this.#alias(field.name) : `f${this.#aliases++}: ${field.name}`;
    const type = getNamedType(field.type);
    const selection = isCompositeType(type) ? ` ${this.#selection(type, depth + 1)}` : '';
    return `${name}${given}${this.#directive()}${selection}`;
  }

  #alias(name: string): string {
    if (!this.#oneIn(8)) return name;
    return this.#oneIn(3) ? `${this.#of(ALIASES)}: ${name}` : `f${this.#aliases++}: ${name}`;
  }

  #fragment(type: GraphQLNamedType, depth: number): string {
    const conditions = this.#conditionsOf(type);
    const condition = this.#of(conditions);
    const selection = depth < DEEPEST ? this.#selection(condition, depth + 1) : '{ __typename }';
    if (this.#oneIn(3)) {
      const name = `F${this.#fragments.length}`;
      this.#fragments.push(`fragment ${name} on ${condition.name} ${selection}`);
      return `...${name}${this.#directive()}`;
    }
    return `... ${condition === type && this.#oneIn(2) ? '' : `on ${condition.name} `}${this.#directive()}${selection}`;
  }

  #conditionsOf(type: GraphQLNamedType): readonly GraphQLNamedType[] {
    if (isObjectType(type)) return [type, ...type.getInterfaces()];
    if (isInterfaceType(type) || isUnionType(type)) return [type, ...this.#schema.getPossibleTypes(type)];
    return [type];
  }

  #directive(): string {
    if (!this.#oneIn(10)) return '';
    const type = this.#schema.getType('Boolean') as GraphQLInputType;
    const value = this.#oneIn(2)
      ? String(this.#oneIn(2))
      : this.#variable(`Boolean${this.#oneIn(2) ? '!' : ' = true'}`, type);
    return ` @${this.#oneIn(2) ? 'include' : 'skip'}(if: ${value})`;
  }

  #arguments(args: readonly GraphQLArgument[]): string {
    const given = args.flatMap((arg) =>
      isRequiredArgument(arg) || this.#oneIn(Math.max(3, args.length))
        ? [`${arg.name}: ${this.#input(arg.type, 0)}`]
        : [],
    );
    return given.length > 0 ? `(${given.join(' ')})` : '';
  }

  /** Formats a value for the text of the query. */
  #input(type: GraphQLInputType, depth: number): string {
    if (this.#oneIn(4)) return this.#variable(this.#withDefault(type), type);
    if (isNonNullType(type)) return this.#input(type.ofType, depth);
    if (this.#oneIn(12)) return 'null';
    if (isListType(type)) {
      return this.#oneIn(6)
        ? this.#input(type.ofType, depth)
        : `[${this.#times(0, 2)
            .map(() => this.#input(type.ofType, depth))
            .join(', ')}]`;
    }
    if (isInputObjectType(type)) {
      const members = Object.values(type.getFields()).flatMap((field) =>
        isRequiredInputField(field) || (depth < 3 && this.#oneIn(4))
          ? [`${field.name}: ${this.#input(field.type, depth + 1)}`]
          : [],
      );
      return `{${members.join(', ')}}`;
    }
    if (isEnumType(type)) return this.#of(type.getValues()).name;
    return JSON.stringify(
      this.#of((VALUES[type.name] ?? ['x']).filter((value) => this.#oneIn(20) || fits(type.name, value))),
    );
  }

  #withDefault(type: GraphQLInputType): string {
    if (!this.#oneIn(4)) return String(type);
    const inner = getNullableType(type);
    if (isListType(inner) || isInputObjectType(inner) || isEnumType(inner)) return String(inner);
    const [first] = VALUES[String(inner)] ?? [];
    return `${inner} = ${JSON.stringify(first ?? 'x')}`;
  }

  #variable(declared: string, type: GraphQLInputType): string {
    const at = this.#declared.length;
    const odd = VARIABLES[at];
    const name = odd !== undefined && this.#oneIn(10) ? odd : `v${at}`;
    this.#declared.push(`$${name}: ${declared}`);
    if (!this.#oneIn(6)) this.#variables.push([name, this.#json(type, 0)]);
    return `$${name}`;
  }

  /** Makes a value for the variables. */
  #json(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return this.#json(type.ofType, depth);
    if (this.#oneIn(12)) return null;
    if (isListType(type)) {
      return this.#oneIn(6)
        ? this.#json(type.ofType, depth)
        : this.#times(0, 2).map(() => this.#json(type.ofType, depth));
    }
    if (isInputObjectType(type)) {
      const members = Object.values(type.getFields()).flatMap((field) =>
        isRequiredInputField(field) || (depth < 3 && this.#oneIn(4))
          ? [[field.name, this.#json(field.type, depth + 1)]]
          : [],
      );
      return Object.fromEntries(this.#oneIn(30) ? [...members, ['unknown', 1]] : members);
    }
    if (isEnumType(type)) return this.#oneIn(20) ? 'rocket' : this.#of(type.getValues()).name;
    return this.#of((VALUES[type.name] ?? ['x']).filter((value) => this.#oneIn(12) || fits(type.name, value)));
  }

  #times(least: number, most: number): readonly undefined[] {
    return new Array(this.#g(fc.integer, { min: least, max: most })).fill(undefined);
  }

  #oneIn(count: number): boolean {
    return this.#g(fc.integer, { min: 1, max: count }) === 1;
  }

  #of<Item>(items: readonly Item[]): Item {
    return items[this.#g(fc.nat, { max: items.length - 1 })] as Item;
  }
}

function fits(type: string, value: unknown): boolean {
  return VALUES[type]?.[0] === undefined || typeof value === typeof VALUES[type][0];
}
