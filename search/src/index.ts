export * from './types.ts'
export { openSearchEngine, type SearchEngineOptions } from './engine.ts'
export { filterOf, parseFacetFilter, parseFilters, parseNumericFilter, type Comparison, type Filter } from './query/filter-parser.ts'
