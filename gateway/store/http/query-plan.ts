/**
 * The SDK asks the service for a plan of every query, although a query of one partition never uses it. This answer is
 * valid and says "nothing to do", so each query costs one request instead of two.
 */
export const LOCAL_QUERY_PLAN = JSON.stringify({
  partitionedQueryExecutionInfoVersion: 2,
  queryInfo: {
    distinctType: 'None',
    top: null,
    offset: null,
    limit: null,
    orderBy: [],
    orderByExpressions: [],
    groupByExpressions: [],
    groupByAliases: [],
    aggregates: [],
    groupByAliasToAggregateType: {},
    rewrittenQuery: '',
    hasSelectValue: false,
    hasNonStreamingOrderBy: false,
  },
  queryRanges: [{ min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }],
});
