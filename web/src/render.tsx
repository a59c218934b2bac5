import { createElement, type ComponentType, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { Catalogue } from './i18n.ts'
import { createTranslate } from './i18n.ts'
import type { FormFields } from './form.ts'
import { IslandHost, SurroundingsContext, type IslandRequest, type When } from './island.tsx'
import type { LayoutModule, PageModule } from './page.ts'

export interface RenderRequest {
  page: PageModule
  /** None for layout `none`. */
  layout: LayoutModule<never> | null
  context: unknown
  data: unknown
  layoutData: unknown
  refusal?: unknown
  typed?: FormFields
  locale: string
  catalogue: Catalogue
  /** Facts of the site, for pages and islands: plain JSON. */
  site: unknown
}

export interface Rendered {
  html: string
  /** Islands met, for preloading; `enhance` parts are in the markup alone. */
  islands: { id: string; when: When }[]
  hasEnhancers: boolean
  /** The messages the islands need in the browser. */
  messages: Catalogue
}

export type Render = (request: RenderRequest) => Rendered

/** A component's place in the bundle, `path#export`, as the browser's entry finds it. */
export type IslandRegistry = ReadonlyMap<unknown, string>

/** Registers every component exported by the island files of a shop. */
export function registerIslands(modules: Record<string, Record<string, unknown>>): IslandRegistry {
  const registry = new Map<unknown, string>()
  for (const [path, module] of Object.entries(modules)) {
    for (const [name, exported] of Object.entries(module)) if (typeof exported === 'function') registry.set(exported, `${path}#${name}`)
  }
  return registry
}

export function createRender(registry: IslandRegistry): Render {
  return (request) => {
    const { locale, catalogue, site } = request
    const islands: Rendered['islands'] = []
    const messages: Catalogue = {}
    const translate = createTranslate(locale, catalogue)
    const recording = (key: string, values?: Record<string, string | number>) => {
      keep(messages, catalogue, key)
      return translate(key, values)
    }
    const inner = { t: recording, site }

    const host = ({ of, when = 'visible', props, messages: wanted = [] }: IslandRequest): ReactNode => {
      const id = registry.get(of)
      if (!id) throw new Error(`${nameOf(of)} is used as an island but no *.island.tsx file exports it`)
      for (const key of wanted) keep(messages, catalogue, key)
      const prefix = `i${islands.length}-`
      islands.push({ id, when })
      // Its own root with its own prefix, so that ids made by useId are the same when it comes alive alone.
      const html = renderToString(<SurroundingsContext value={inner}>{createElement(of as ComponentType, props)}</SurroundingsContext>, {
        identifierPrefix: prefix,
      })
      return (
        <page-island
          data-island={id}
          data-when={when}
          data-prefix={prefix}
          data-props={JSON.stringify(props)}
          dangerouslySetInnerHTML={{ __html: html }}
        />
      )
    }
    const html = renderToString(
      <SurroundingsContext value={{ t: translate, site }}>
        <IslandHost value={host}>{treeOf(request)}</IslandHost>
      </SurroundingsContext>,
    )
    return { html, islands, messages, hasEnhancers: html.includes('<page-island data-enhance=') }
  }
}

function treeOf({ page, layout, context, data, layoutData, refusal, typed }: RenderRequest): ReactNode {
  const view = createElement(page.Page as ComponentType<object>, { data, context, refusal, typed } as object)
  return layout ? createElement(layout.Layout as ComponentType<object>, { context, layoutData, children: view } as object) : view
}

function keep(into: Catalogue, catalogue: Catalogue, key: string): void {
  if (key.endsWith('.*')) {
    const area = key.slice(0, -1)
    for (const name of Object.keys(catalogue)) if (name.startsWith(area)) into[name] = catalogue[name]!
  } else if (Object.hasOwn(catalogue, key)) into[key] = catalogue[key]!
}

function nameOf(component: unknown): string {
  return typeof component === 'function' ? component.name || 'A component without name' : String(component)
}
