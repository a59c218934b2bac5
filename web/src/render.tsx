import { createElement, type ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import type { FormFields } from './form.ts'
import type { LayoutModule, PageModule } from './page.ts'

export interface RenderRequest {
  page: PageModule
  /** Missing for layout `none`. */
  layout: LayoutModule<never> | null
  context: unknown
  data: unknown
  layoutData: unknown
  refusal?: unknown
  typed?: FormFields
}

export type Render = (request: RenderRequest) => string

/** The body of a page in its layout. Part of the bundle, so that there is one copy of React. */
export function render({ page, layout, context, data, layoutData, refusal, typed }: RenderRequest): string {
  const view = createElement(page.Page as ComponentType<object>, { data, context, refusal, typed } as object)
  return renderToString(
    layout ? createElement(layout.Layout as ComponentType<object>, { context, layoutData, children: view } as object) : view,
  )
}
