/**
 * Checks the tokens of a query without parsing it. It rejects texts that would occupy the parser for long or nest too
 * deep for its stack. It runs once per query text. The parser checks the grammar.
 */
import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql';
import type { GraphqlLimits } from './limits.ts';
import { limitExceeded } from './refusal.ts';

/**
 * Brackets of all kinds per level of selections. A selection may hold an argument, the argument an object, and the
 * object a list.
 */
const BRACKETS_PER_LEVEL = 3;

export function parseWithin(text: string, limits: GraphqlLimits): DocumentNode {
  checkTokens(text, limits);
  try {
    // Positions take more memory than everything else, and no guard reports them.
    return parse(text, { noLocation: true });
  } catch (error) {
    throw error instanceof GraphQLError ? syntaxError(error) : error;
  }
}

function checkTokens(text: string, limits: GraphqlLimits): void {
  const lexer = new Lexer(new Source(text));
  const maximumNesting = limits.GRAPHQL_MAX_DEPTH * BRACKETS_PER_LEVEL;
  let tokens = 0;
  let nesting = 0;
  for (;;) {
    const { kind } = advance(lexer);
    if (kind === TokenKind.EOF) return;
    tokens += 1;
    if (tokens > limits.GRAPHQL_MAX_TOKENS) {
      throw limitExceeded('tokens', limits.GRAPHQL_MAX_TOKENS, 'number of tokens of the query');
    }
    if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) {
      nesting += 1;
      if (nesting > maximumNesting) throw limitExceeded('depth', limits.GRAPHQL_MAX_DEPTH, 'depth of the query');
    }
    if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) nesting -= 1;
  }
}

function advance(lexer: Lexer): { readonly kind: TokenKind } {
  try {
    return lexer.advance();
  } catch (error) {
    throw error instanceof GraphQLError ? syntaxError(error) : error;
  }
}

/** Keeps the position of a syntax error, because the text is the caller's own. */
function syntaxError(error: GraphQLError): GraphQLError {
  return new GraphQLError(error.message, {
    source: error.source,
    positions: error.positions,
    extensions: { code: 'GRAPHQL_PARSE_FAILED', http: { status: 400 } },
  });
}
