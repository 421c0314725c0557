/**
 * First look at a query: its tokens, without parsing. Stops a parser that would work long or nest too deep for its stack.
 * Called once per query text; grammar is the parser's business.
 */
import { type DocumentNode, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql';
import type { GraphqlLimits } from './limits.ts';
import { limitExceeded } from './refusal.ts';

/** Brackets of all kinds: a selection may hold an argument, that an object, that a list … */
const BRACKETS_PER_LEVEL = 3;

export function parseWithin(text: string, limits: GraphqlLimits): DocumentNode {
  checkTokens(text, limits);
  try {
    // Positions take more memory than all the rest, and no guard tells them.
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

/** Positions are kept, the text is the caller's own. */
function syntaxError(error: GraphQLError): GraphQLError {
  return new GraphQLError(error.message, {
    source: error.source,
    positions: error.positions,
    extensions: { code: 'GRAPHQL_PARSE_FAILED', http: { status: 400 } },
  });
}
