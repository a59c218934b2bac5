import type { ReactNode } from 'react'

/** When a script or island is activated. `interact`: at the first touch, key or focus in it, without losing that action. */
export type When = 'load' | 'idle' | 'visible' | 'interact'

export interface EnhanceProps {
  /** Name of a `<name>.enhance.ts` file: a plain script, for content that a shared page cannot know. */
  with: string
  when?: When
  children: ReactNode
}

/** Server-rendered markup that a small script enhances; the script's `enhance(element)` receives this element. */
export function Enhance({ with: name, when = 'idle', children }: EnhanceProps): ReactNode {
  return (
    <page-island data-enhance={name} data-when={when}>
      {children}
    </page-island>
  )
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'page-island': React.HTMLAttributes<HTMLElement> & Record<`data-${string}`, string | undefined>
    }
  }
}
