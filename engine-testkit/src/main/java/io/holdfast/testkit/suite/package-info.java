/**
 * What every conformance suite shares. A suite is an abstract JUnit class in the package of its port with one abstract method that gives
 * the fixture; the fake and the real adapter each extend it in a few lines, and a do-nothing fixture proves that no test of it can pass by
 * accident. No suite of a particular port belongs here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.testkit.suite;
