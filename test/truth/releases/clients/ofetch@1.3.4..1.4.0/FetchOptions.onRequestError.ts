import type { FetchOptions } from 'ofetch'

export const run = (options: FetchOptions, context: any) => options.onRequestError?.(context)
