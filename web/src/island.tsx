import { createContext, useContext, type ComponentType, type ReactNode } from 'react'
import { createTranslate, type Translate } from './i18n.ts'

/** When an island comes alive. `interact`: at the first touch, key or focus in it, which is then played again. */
export type When = 'load' | 'idle' | 'visible' | 'interact'

export interface IslandRequest<Props extends object = object> {
  /** A component exported by a `*.island.tsx` file. */
  of: ComponentType<Props>
  when?: When
  /** Everything the component gets; must survive JSON. */
  props: Props
  /** Messages it needs later on besides those it shows at once: keys, or `area.*`. */
  messages?: readonly string[]
}

/** Where islands are cut out of the page: set by the renderer, absent in the browser and inside an island. */
export const IslandHost = createContext<((island: IslandRequest) => ReactNode) | null>(null)

/**
 * An interactive part of a page. On the server it becomes its own root with its props beside it;
 * inside another island, or in a test, it is simply its component.
 */
export function Island<Props extends object>(island: IslandRequest<Props>): ReactNode {
  const host = useContext(IslandHost)
  const Component = island.of
  return host ? host(island as unknown as IslandRequest) : <Component {...island.props} />
}

export interface EnhanceProps {
  /** Name of a `<name>.enhance.ts` file: plain script without React, for what a page for everybody cannot know. */
  with: string
  when?: When
  children: ReactNode
}

/** Server-rendered markup that a small script improves; the script's `enhance(element)` gets this element. */
export function Enhance({ with: name, when = 'idle', children }: EnhanceProps): ReactNode {
  return (
    <page-island data-enhance={name} data-when={when}>
      {children}
    </page-island>
  )
}

/** What islands and pages share besides their props: words and the facts of the site. */
export interface Surroundings {
  t: Translate
  site: unknown
}

export const SurroundingsContext = createContext<Surroundings>({ t: createTranslate('en', {}), site: null })

export function useSurroundings(): Surroundings {
  return useContext(SurroundingsContext)
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'page-island': React.HTMLAttributes<HTMLElement> & Record<`data-${string}`, string | undefined>
    }
  }
}
