package io.holdfast.reservation.entity;

import io.holdfast.reservation.entity.AdmissionDesk.Answer;
import java.time.Duration;

/** Hears of what happens at the gate. Called on threads that must not wait. */
public interface AdmissionListener {

    /** A request was answered. */
    void answered(Answer answer);

    /**
     * The reservation of a hold that was let in was told.
     *
     * @param journaled whether it said that its journal has the hold
     */
    void told(boolean journaled, Duration took);

    /** Listens to nothing. */
    static AdmissionListener none() {
        return new AdmissionListener() {
            @Override
            public void answered(Answer answer) {}

            @Override
            public void told(boolean journaled, Duration took) {}
        };
    }
}
