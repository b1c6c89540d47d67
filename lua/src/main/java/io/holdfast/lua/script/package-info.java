/**
 * The Java side of the script files: one descriptor per script (keys, arguments, results), the text that is loaded, and the reading of
 * answers. No connection in here: whoever runs a script, Redis or a model of it, extends {@link io.holdfast.lua.script.ScriptRunner}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.lua.script;
