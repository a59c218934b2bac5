import { liteClient } from 'algoliasearch/lite'
import { createRoot } from 'react-dom/client'
import {
  ClearRefinements,
  Configure,
  CurrentRefinements,
  HierarchicalMenu,
  Highlight,
  Hits,
  HitsPerPage,
  Index,
  InstantSearch,
  Pagination,
  RangeInput,
  RefinementList,
  SearchBox,
  SortBy,
  Stats,
  ToggleRefinement,
} from 'react-instantsearch'
import type { Good } from './shop-data.ts'

/** The official React widgets, unmodified, over the wire: what the browser part of the suite drives. */
const client = liteClient('purlin', 'conformance-search', {
  hosts: [{ url: `${location.host}/search-engine`, accept: 'readWrite', protocol: 'http' }],
})

function Hit({ hit }: { hit: Good }) {
  return (
    <article data-id={hit.objectID} data-price={hit.price}>
      <Highlight attribute="title" hit={hit as never} />
    </article>
  )
}

function App() {
  return (
    <InstantSearch searchClient={client} indexName="goods" future={{ preserveSharedStateOnUnmount: true }}>
      <Configure clickAnalytics />
      <SearchBox />
      <Stats />
      <SortBy
        items={[
          { label: 'Relevance', value: 'goods' },
          { label: 'Cheapest', value: 'goods_price_asc' },
          { label: 'Dearest', value: 'goods_price_desc' },
        ]}
      />
      <HitsPerPage
        items={[
          { label: '12 per page', value: 12, default: true },
          { label: '48 per page', value: 48 },
        ]}
      />
      <div id="brand">
        <RefinementList attribute="brand" searchable />
      </div>
      <div id="colour">
        <RefinementList attribute="colour" operator="and" />
      </div>
      <div id="categories">
        <HierarchicalMenu attributes={['categories.lvl0', 'categories.lvl1', 'categories.lvl2']} />
      </div>
      <div id="price">
        <RangeInput attribute="price" />
      </div>
      <div id="stock">
        <ToggleRefinement attribute="inStock" label="In stock" />
      </div>
      <CurrentRefinements />
      <ClearRefinements />
      <div id="goods">
        <Hits hitComponent={Hit as never} />
      </div>
      <Pagination />
      <Index indexName="advice">
        <div id="advice">
          <Hits />
        </div>
      </Index>
    </InstantSearch>
  )
}

createRoot(document.getElementById('app')!).render(<App />)
