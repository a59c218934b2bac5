import type { ReactNode } from 'react'

/** When a part comes alive. `interact`: at the first touch, key or focus in it, and nothing done is lost. */
export type When = 'load' | 'idle' | 'visible' | 'interact'

export interface EnhanceProps {
  /** Name of a `<name>.enhance.ts` file: plain script, for what a page for everybody cannot know. */
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

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'page-island': React.HTMLAttributes<HTMLElement> & Record<`data-${string}`, string | undefined>
    }
  }
}
